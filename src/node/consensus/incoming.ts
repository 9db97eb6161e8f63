/**
 * Owns input from peers outside of consensus (records for admission, evidence); faults are counted against the peer.
 */
import type { Evidence, ValidatorKey } from '../../model/index.js'
import type { Admission } from '../admission/admission.js'
import type { PeerConduct } from '../peers/conduct.js'
import type { EvidencePool } from './evidence-pool.js'

export interface IncomingModules {
  readonly admission: Pick<Admission, 'take'>
  readonly evidence: Pick<EvidencePool, 'offer'>
  readonly conduct: PeerConduct
  /** Called if the ledger thread has ended. */
  readonly onFailure: (error: unknown) => void
}

export class Incoming {
  constructor(private readonly modules: IncomingModules) {}

  /** Receive records of a peer; an invalid signature is a fault of the peer, which has to verify what it forwards. */
  records(from: ValidatorKey, records: readonly Uint8Array[]): void {
    const { admission, conduct, onFailure } = this.modules
    if (!conduct.allowsRecords(from, records.length)) return
    admission
      .take(records, { peer: from, onBadSignature: () => conduct.fault(from, 'bad_signature') })
      .then((refused) => conduct.tookRecords(from, records.length - refused))
      .catch(onFailure)
  }

  /** Receive evidence. `from`: sender, undefined for evidence that this node detected itself. */
  evidence(record: Evidence, from?: ValidatorKey): void {
    const { evidence, conduct, onFailure } = this.modules
    const onForged = from === undefined ? undefined : (): void => conduct.fault(from, 'bad_signature')
    evidence.offer(record, onForged).catch(onFailure)
  }
}
