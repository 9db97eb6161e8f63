/**
 * Owns early warnings about runtime upgrades that this release, or the release of a peer, does not support
 * (docs/design/ledger.md 9).
 */

import type { MissingAbi } from '../../api/index.js'
import { sameBytes } from '../../base/bytes.js'
import type { UpgradeList, UpgradeView } from '../../features/upgrades/schema.js'
import type { ValidatorKey } from '../../model/index.js'
import type { CarriedAbi } from '../../network/index.js'
import type { Logger } from '../process/logger.js'
import { shortName } from './names.js'

/** Interval between checks, in ms: windows open thousands of blocks after a proposal. */
const LOOK_INTERVAL_MS = 5_000

export interface UpgradeWatchModules {
  /** ABIs of this release. */
  readonly carried: readonly CarriedAbi[]
  readonly upgrades: () => Promise<UpgradeList | undefined>
  readonly monotonicMs: () => number
  readonly logger: Logger
}

const carries = (abis: readonly CarriedAbi[], { abiVersion, abiHash }: MissingAbi): boolean =>
  abis.some(({ number, hash }) => number === abiVersion && sameBytes(hash, abiHash))

/** Requirement of an unfinished upgrade for a node. */
function needOf({ manifest, status, activationHeight }: UpgradeView, height: number): MissingAbi | undefined {
  const { name: upgrade, abiVersion, abiHash, startHeight } = manifest
  if (status === 'proposed') return { upgrade, abiVersion, abiHash, decided: false, fromHeight: startHeight }
  if (status !== 'activated' || activationHeight === undefined || activationHeight <= height) return undefined
  return { upgrade, abiVersion, abiHash, decided: true, fromHeight: activationHeight }
}

export class UpgradeWatch {
  private needed: readonly MissingAbi[] = []
  private readonly peers = new Map<ValidatorKey, readonly CarriedAbi[]>()
  /** Logged warnings: an upgrade by ABI and state, with the peer whose release does not support it. */
  private logged = new Set<string>()
  private lookedMs = Number.NEGATIVE_INFINITY

  constructor(private readonly modules: UpgradeWatchModules) {}

  /** Earliest upgrade that this release cannot run; undefined if it can run all. */
  get missing(): MissingAbi | undefined {
    return this.needed.find((one) => !carries(this.modules.carried, one))
  }

  /** Record the ABIs that a connected peer reported for its release. */
  peerUp(peer: ValidatorKey, abis: readonly CarriedAbi[]): void {
    this.peers.set(peer, abis)
    this.logNew()
  }

  peerDown(peer: ValidatorKey): void {
    this.peers.delete(peer)
  }

  /** Query the ledger again if a check is due. Rejects if the ledger thread has ended. */
  async look(): Promise<void> {
    const nowMs = this.modules.monotonicMs()
    if (nowMs - this.lookedMs < LOOK_INTERVAL_MS) return
    this.lookedMs = nowMs
    const found = await this.modules.upgrades()
    if (found === undefined) return
    const { items, height } = found
    this.needed = items
      .flatMap((one) => needOf(one, height) ?? [])
      .sort((a, b) => Number(b.decided) - Number(a.decided) || a.fromHeight - b.fromHeight)
    this.logNew()
  }

  /** Log warnings that are new since the last call. */
  private logNew(): void {
    const { carried, logger } = this.modules
    const current = new Set<string>()
    const once = (key: string, warn: () => void): void => {
      current.add(key)
      if (!this.logged.has(key)) warn()
    }
    for (const need of this.needed) {
      const { upgrade, abiVersion: abi, decided, fromHeight } = need
      const key = `${abi} ${upgrade} ${decided}`
      const fields = { upgrade, abi, from_height: fromHeight }
      if (!carries(carried, need)) {
        const message = decided
          ? 'this release does not support the ABI of an activated upgrade: the node stops before its height'
          : 'this release does not support the ABI of a proposed upgrade: install one that does before it is activated'
        once(key, () => logger.warn(fields, message))
      }
      for (const [peer, abis] of this.peers) {
        if (carries(abis, need)) continue
        once(`${key} ${peer}`, () =>
          logger.warn({ peer: shortName(peer), ...fields }, 'peer does not support the ABI of a scheduled upgrade'),
        )
      }
    }
    this.logged = current
  }
}
