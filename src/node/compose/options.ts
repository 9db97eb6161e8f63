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
  /** ABIs of this release; default: `abi` alone. */
  readonly abis?: ReadonlyMap<number, Abi>
  readonly keys: NodeKeys
  /** Signer for the consensus keys; undefined: this node holds their secrets. */
  readonly signer?: ConsensusSigner | undefined
  /** State of the connection to the signer; undefined: the node has no signer. */
  readonly signerLink?: (() => SignerLink) | undefined
  readonly pinned: PinnedGenesis
  readonly ledger: LedgerPort
  readonly crypto: CryptoService
  readonly proofs: ProofService
  /** Service for dry runs, views and simulations. */
  readonly trials: Pick<TrialService, 'run'>
  readonly transport: Transport
  readonly logger: Logger
  readonly queue: { readonly capacity: number; readonly capacityPerUser: number; readonly durable: boolean }
  /** Limits of payloads in transfer. */
  readonly payloads: PayloadLimits
  /** Schedule and retention of snapshots of the running node. */
  readonly snapshots: Pick<SnapshotsConfig, 'everyBlocks' | 'keep'>
  /** Retention of blocks. */
  readonly storage: StorageConfig
  /** Vote although earlier votes may be lost; set by the operator if too many validators would abstain. */
  readonly acceptAmnesia: boolean
  /** Vote without a vote log. The operator declares that the keys never voted; their marks must not contradict this. */
  readonly firstStart: boolean
  /** Marks of the consensus keys. */
  readonly marks: VotedMarks
  /** Called if the process must end: an invariant broke or the node's own I/O failed. */
  readonly onFatal: (error: FatalError) => void
}
