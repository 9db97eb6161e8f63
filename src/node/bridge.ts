/** Owns the wiring of the ISO 20022 bridge into a node: its key, its records, its anonymous submitter. */
import { join } from 'node:path'
import { ed25519Signer } from '../crypto/index.js'
import { accountByIdQuery } from '../features/core/queries.js'
import { isoHandlers } from '../features/iso20022/bridge/handlers.js'
import { HeldDesk } from '../features/iso20022/bridge/held.js'
import type { HoldRule } from '../features/iso20022/bridge/holds.js'
import { IsoBridge } from '../features/iso20022/bridge/service.js'
import { RecordStore } from '../features/iso20022/bridge/store.js'
import { Upkeep } from '../features/iso20022/bridge/upkeep.js'
import { MessageReader } from '../features/iso20022/reader/reader.js'
import { ReferenceData } from '../features/iso20022/refdata/service.js'
import type { AuditTrail, BridgeSigner } from '../features/services.js'
import { type AccountId, accountKeyOf, accountOfKey, LedgerError, parseAddress } from '../model/index.js'
import type { NodeConfig } from './config/index.js'
import type { NodeKeys } from './identity.js'
import type { Logger } from './logger.js'
import type { Services } from './services.js'

/** The account that a node's bridge signs for. */
export function bridgeSignerOf(keys: NodeKeys): BridgeSigner | undefined {
  if (keys.bridge === undefined) return undefined
  const key = accountKeyOf('ed25519', keys.bridge.publicKey.bytes)
  const signer = ed25519Signer(keys.bridge.secret)
  return { account: accountOfKey(key), key, sign: (id) => signer.sign(id) }
}

/** Account of an address or of an alias `label@domain`; `key` is the configuration key that names it. */
export async function resolveAccountText(services: Services, key: string, text: string): Promise<AccountId> {
  const address = parseAddress(text, services.info.addressPrefix)
  if (address !== undefined) return address
  if (!text.includes('@')) throw new LedgerError('config_invalid', `${key}: ${text} is no address of this chain`)
  const found = await services.query(accountByIdQuery, { id: undefined, alias: text })
  if (found === undefined) {
    throw new LedgerError('config_invalid', `${key}: there is no account ${text}`)
  }
  return found.id
}

/** Hold rules with their submitters resolved. */
async function holdRules(config: NodeConfig, services: Services): Promise<HoldRule[]> {
  const rules: HoldRule[] = []
  for (const [at, rule] of config.iso.holds.entries()) {
    const { submitter } = rule
    const account =
      submitter === undefined ? undefined : await resolveAccountText(services, `iso.hold[${at}].submitter`, submitter)
    rules.push({ ...rule, submitter: account })
  }
  return rules
}

/** The reference data of a node, read once; a set that cannot be read is logged, and messages wait for it. */
async function openReference({ iso }: NodeConfig, logger: Logger): Promise<ReferenceData> {
  const { bic, iban, currency } = iso.reference
  const files = {
    ...(bic === undefined ? {} : { bic }),
    ...(iban === undefined ? {} : { iban }),
    ...(currency === undefined ? {} : { currency }),
  }
  return new ReferenceData(
    files,
    () => Date.now(),
    ({ kind, version, records, digest, fault }) => {
      if (fault === undefined) logger.info({ dataset: kind, version, records, digest }, 'reference data loaded')
      else logger.error({ dataset: kind, fault }, 'reference data not readable')
    },
  )
}

/** The bridge of a node with its handlers; undefined where no bridge key is configured. */
export async function openBridge(config: NodeConfig, services: Services, audit: AuditTrail, logger: Logger) {
  const { bridgeSigner } = services
  if (bridgeSigner === undefined) return undefined
  const store = await RecordStore.open(join(config.dataDir, 'bridge'))
  const { anonymousSubmitter, settlementWindow, pins, retentionDays } = config.iso
  const { pastDays, futureDays } = settlementWindow
  const reference = await openReference(config, logger)
  const reader = new MessageReader()
  const clockMs = (): number => Date.now()
  const bridge = new IsoBridge(services, store, {
    signer: bridgeSigner,
    anonymousSubmitter:
      anonymousSubmitter === undefined
        ? undefined
        : await resolveAccountText(services, 'iso.anonymous_submitter', anonymousSubmitter),
    settlementWindow:
      pastDays === undefined && futureDays === undefined
        ? undefined
        : { ...(pastDays === undefined ? {} : { pastDays }), ...(futureDays === undefined ? {} : { futureDays }) },
    holds: await holdRules(config, services),
    pins,
    reference,
    reader,
    clockMs,
    audit,
  })
  const desk = new HeldDesk(services, store, bridge, { clockMs, audit })
  const upkeep = new Upkeep(store, bridge.settlement, reference, {
    registry: services.metrics,
    retentionDays,
    refreshSeconds: config.iso.reference.refreshSeconds,
    clockMs,
    onError: (error) => logger.error({ error: String(error) }, 'upkeep of the bridge failed'),
  })
  await upkeep.refresh()
  upkeep.start()
  const close = async (): Promise<void> => {
    await reader.close()
    await upkeep.stop()
    await store.close()
  }
  return { bridge, close, handlers: isoHandlers(services, bridge, desk) }
}
