/** Owns the options of a core. */

import type { PayloadLimits } from '../../consensus/index.js'
import type { ProofService } from '../../crypto/circuits/service.js'
import type { CryptoService } from '../../crypto/index.js'
import type { Abi } from '../../executor/index.js'
import type { Transport } from '../../network/index.js'
import type { SignerLink } from '../../signer/client.js'
import type { VotedMarks } from '../../storage/index.js'
import type { SnapshotsConfig, StorageConfig } from '../config/config.js'
import type { ConsensusSigner } from '../consensus/signer.js'
import type { NodeKeys, PinnedGenesis } from '../identity/identity.js'
import type { LedgerPort } from '../ledger/protocol.js'
import type { FatalError } from '../process/fatal.js'
import type { Logger } from '../process/logger.js'
import type { TrialService } from '../trials/trials.js'

export interface CoreOptions {
  readonly version: string
  readonly dataDir: string
  readonly abi: Abi
  /** Every ABI that this release carries; default: `abi` alone. */
  readonly abis?: ReadonlyMap<number, Abi>
  readonly keys: NodeKeys
  /** Signs with the consensus keys; undefined: this node has their secrets. */
  readonly signer?: ConsensusSigner | undefined
  /** How the node is at its signer; undefined: it has none. */
  readonly signerLink?: (() => SignerLink) | undefined
  readonly pinned: PinnedGenesis
  readonly ledger: LedgerPort
  readonly crypto: CryptoService
  readonly proofs: ProofService
  /** Runs dry runs, views and simulations. */
  readonly trials: Pick<TrialService, 'run'>
  readonly transport: Transport
  readonly logger: Logger
  readonly queue: { readonly capacity: number; readonly capacityPerUser: number; readonly durable: boolean }
  /** Bounds of payloads on their way. */
  readonly payloads: PayloadLimits
  /** When snapshots are made of the running node. */
  readonly snapshots: Pick<SnapshotsConfig, 'everyBlocks' | 'keep'>
  /** How many blocks are kept. */
  readonly storage: StorageConfig
  /** Vote again although votes may be forgotten: the operator's word, when too many would abstain. */
  readonly acceptAmnesia: boolean
  /** Vote without a vote log: the operator's word that the keys never voted, which their marks must not contradict. */
  readonly firstStart: boolean
  /** Marks of the consensus keys. */
  readonly marks: VotedMarks
  /** The process must end: an invariant broke or our own I/O failed. */
  readonly onFatal: (error: FatalError) => void
}
