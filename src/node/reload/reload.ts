/** Owns the reload of a changed configuration: some keys take effect at once, the others at the next start. */
import { isDeepStrictEqual } from 'node:util'
import { Mutex } from '../../base/mutex.js'
import type { RunningService } from '../../features/service.js'
import type { Gateway, GatewaySettings } from '../../gateway/index.js'
import type { AuditTrail } from '../../model/index.js'
import { type NodeConfig, RELOADED_KEYS } from '../config/index.js'
import type { Logger } from '../process/logger.js'

/** Dotted key names, sorted. */
export interface Reloaded {
  /** Keys that took effect. */
  readonly changed: readonly string[]
  /** Keys that differ from the configuration at the start, and take effect after a restart. */
  readonly restart: readonly string[]
}

/** Node that accepts a changed configuration. */
export interface Reloadable {
  /** Apply a configuration. Throws a `LedgerError`, without a change, if the node cannot run with it. */
  reload(config: NodeConfig): Promise<Reloaded>
}

/** Reloadable parts of a node. */
export interface ReloadParts {
  readonly gateway: Pick<Gateway, 'configure'>
  readonly services: readonly { readonly name: string; readonly running: RunningService }[]
  /**
   * Settings of the gateway with resolved accounts, and the certificate if it was renewed. Throws `config_invalid`,
   * `key_file_loose`.
   */
  readonly settingsOf: (config: NodeConfig) => Promise<GatewaySettings>
  readonly logger: Pick<Logger, 'level'>
  readonly audit: AuditTrail
}

/** Names of the keys whose values differ between two configurations. */
export const differing = (one: NodeConfig, other: NodeConfig): string[] =>
  [...new Set([...one.values.keys(), ...other.values.keys()])]
    .filter((key) => !isDeepStrictEqual(one.values.get(key), other.values.get(key)))
    .sort()

/** Reload of changed configurations, one at a time. */
export class Reload {
  private readonly mutex = new Mutex()

  /** `started`: configuration at the start of the node. */
  constructor(
    private readonly started: NodeConfig,
    private readonly parts: ReloadParts,
    private current: NodeConfig = started,
  ) {}

  /** Apply a configuration after all earlier ones. Throws the errors of its parts, without a change. */
  take(next: NodeConfig): Promise<Reloaded> {
    return this.mutex.run(() => this.apply(next))
  }

  private async apply(next: NodeConfig): Promise<Reloaded> {
    const { gateway, services, settingsOf, logger, audit } = this.parts
    const restart = differing(this.started, next).filter((key) => !RELOADED_KEYS.has(key))
    // Steps that may fail come first: the steps below cannot be undone.
    const settings = await settingsOf(next)
    const changed = differing(this.current, next).filter((key) => RELOADED_KEYS.has(key))
    // Certificates are renewed in their files; the paths do not change.
    if (settings.tls !== undefined) changed.push('gateway.tls_cert')
    changed.sort()
    const steps = await Promise.all(
      services.flatMap(({ name, running }) => running.reload?.(next.features[name]) ?? []),
    )
    await audit.append({
      action: 'node_reload',
      actor: 'operator',
      fields: { outcome: 'done', changed: changed.join(' ') },
    })
    gateway.configure(settings)
    for (const step of steps) step()
    logger.level = next.log.level
    this.current = next
    return { changed, restart }
  }
}
