/** Owns the creation of private call instructions: gateway data is verified, secrets stay local. */

import { sameBytes } from '../base/bytes.js'
import type { Claim, Member, ProofOutcome, Proving, Statement } from '../crypto/circuits/conference/index.js'
import type { KeyPair } from '../crypto/index.js'
import { admissionRootOf, rosterRootOf, signalHash } from '../features/conference/schema/hashes.js'
import { instructions as conference } from '../features/conference/schema/instructions.js'
import type { ConferenceProof } from '../features/conference/schema/records.js'
import type { AdmissionView, CallView } from '../features/conference/schema/views.js'
import { type AccountId, type Instruction, instruction, keyBytes, keyCommitment, LedgerError } from '../model/index.js'
import type { CausewayClient } from './client.js'
import { routes } from './routes.js'

/** Private instruction for another account to submit, and the statement of its proof. */
export interface Proven {
  readonly instruction: Instruction
  readonly statement: Statement
  /**
   * Admitted keys of the join proof, none for an open call; undefined for a proof of a joined member, or of the host.
   */
  readonly keys: readonly Uint8Array[] | undefined
}

/** Maximum sessions of a member. */
const SESSIONS = 16

/** Prover for a member or the host of a call, with the key of a wallet. */
export class ConferenceProver {
  private constructor(
    private readonly client: CausewayClient,
    private readonly circuits: typeof import('../crypto/circuits/conference/index.js'),
    private readonly place: { readonly chain: string; readonly call: string },
    private readonly key: Buffer,
  ) {}

  /** Open a prover for a call. The first prover loads the curves. */
  static async open(client: CausewayClient, call: string, { publicKey, secret }: KeyPair): Promise<ConferenceProver> {
    const circuits = await import('../crypto/circuits/conference/index.js')
    const { chain } = await client.chain()
    return new ConferenceProver(client, circuits, { chain, call }, circuits.memberKey(secret, publicKey.algorithm))
  }

  /** Key that a host admits, for this call only. */
  admissionKey(): Buffer {
    return this.circuits.admissionKey(this.key, this.place)
  }

  /** Join of the next session, for `submitter` to submit. Throws if the member is in the call or not invited. */
  async join(submitter: AccountId): Promise<Proven> {
    const [{ call }, admission] = await Promise.all([this.call(), this.admission()])
    const isListed = call.admission === 'listed'
    const session = await this.nextSession(admission)
    const member = this.circuits.memberOf(this.key, this.place, session)
    const nullifier = this.circuits.nullifierOf(member, this.place, session)
    const { commitment } = member
    const { rosterRoot, admissionRoot } = admission
    const keys = isListed ? admission.keys : []
    const statement: Statement = {
      ...this.shared('openJoin', submitter),
      relation: isListed ? 'listedJoin' : 'openJoin',
      rosterRoot,
      admissionRoot: isListed ? admissionRoot : undefined,
      admissionCount: keys.length,
      session,
      commitment,
      nullifier,
    }
    if (isListed && !keys.some((key) => sameBytes(key, this.admissionKey()))) {
      throw new LedgerError('not_permitted', 'the key of this wallet is not admitted to the call', {
        hint: 'The host admits the key that `causeway conference key show` prints.',
      })
    }
    const bytes = isListed
      ? this.circuits.proveListedJoin(statement, member, keys, this.proving())
      : this.circuits.proveRoster(statement, member, this.proving())
    const artefacts = { commitment, nullifier, session, rosterRoot, admissionRoot: statement.admissionRoot }
    const value = { call: this.place.call, participant: undefined, ...artefacts, proof: proofOf(statement, bytes) }
    return { instruction: instruction(conference.joinConference, value), statement, keys }
  }

  /** Leave of the member's seat. */
  async leave(submitter: AccountId): Promise<Proven> {
    const admission = await this.admission()
    const member = this.seated(admission)
    const { commitment, session } = member
    const nullifier = this.circuits.nullifierOf(member, this.place, session + 1)
    const { rosterRoot } = admission
    const shared = this.shared('leave', submitter)
    const statement: Statement = { ...shared, rosterRoot, session, commitment, nullifier }
    const proof = proofOf(statement, this.circuits.proveRoster(statement, member, this.proving()))
    const value = { call: this.place.call, participant: undefined, commitment, nullifier, rosterRoot, proof }
    return { instruction: instruction(conference.leaveConference, value), statement, keys: undefined }
  }

  /** Signal of the member. */
  async signal(submitter: AccountId, kind: string, body: Uint8Array): Promise<Proven> {
    const member = this.seated(await this.admission())
    const { commitment, session } = member
    const shared = this.shared('signal', submitter)
    const statement: Statement = { ...shared, session, bodyHash: signalHash(kind, body), commitment }
    const proof = proofOf(statement, this.circuits.proveSignal(statement, member, this.proving()))
    const value = { call: this.place.call, kind, body, commitment, proof }
    return { instruction: instruction(conference.postConferenceSignal, value), statement, keys: undefined }
  }

  /** Proof of the usage of the next segment, for submission by the host. */
  async usage(submitter: AccountId, durationMs: bigint, billedGas: bigint): Promise<Proven> {
    const { call } = await this.call()
    const { segments: segment } = call
    const rho = this.circuits.usageBlinding(this.key, this.place, segment)
    const commitment = this.circuits.usageCommitment(durationMs, billedGas, rho)
    const shared = this.shared('usage', submitter)
    const statement: Statement = { ...shared, durationMs, billedGas, segment, commitment }
    const proof = proofOf(statement, this.circuits.proveUsage(statement, rho, this.proving()))
    const value = { call: this.place.call, durationMs, billedGas, usageCommitment: commitment, proof }
    return { instruction: instruction(conference.recordConferenceUsage, value), statement, keys: undefined }
  }

  private proving(): Proving {
    return { key: this.key }
  }

  private shared(relation: Statement['relation'], submitter: AccountId) {
    const blob = this.circuits.conferenceKeyBlob(this.circuits.circuitOf(relation))
    return { relation, ...this.place, submitter: keyBytes(submitter), vkHash: keyCommitment(blob) }
  }

  private call(): Promise<CallView> {
    return this.client.route(routes.conference.call, { params: { id: this.place.call } })
  }

  /** Admission lists of the call. Throws `proof_invalid` if they do not match their roots. */
  private async admission(nullifier?: Uint8Array): Promise<AdmissionView> {
    const params = { id: this.place.call }
    const view = await this.client.route(routes.conference.admission, { params, query: { nullifier } })
    const { keys, admissionRoot, roster, rosterRoot } = view
    const isList = admissionRoot === undefined || sameBytes(admissionRootOf(keys), admissionRoot)
    const isRoster =
      rosterRoot !== undefined && sameBytes(rosterRootOf(roster.map((seat) => seat.commitment)), rosterRoot)
    if (isList && isRoster) return view
    throw new LedgerError('proof_invalid', `the lists of ${this.place.call} do not belong to a private call`, {
      hint: 'Ask another gateway, or run `causeway conference show`.',
    })
  }

  /** Current seat of the member. Throws if it has none. */
  private seated({ roster }: AdmissionView): Member {
    for (let session = 0; session < SESSIONS; session += 1) {
      const member = this.circuits.memberOf(this.key, this.place, session)
      if (roster.some((seat) => seat.session === session && sameBytes(seat.commitment, member.commitment)))
        return member
    }
    throw new LedgerError('conference_not_in_roster', `this wallet has no seat in ${this.place.call}`)
  }

  /** Session of a join: the first session, or the session of the nullifier that the last leave created. */
  private async nextSession({ roster }: AdmissionView): Promise<number> {
    for (let session = 0; session < SESSIONS; session += 1) {
      const member = this.circuits.memberOf(this.key, this.place, session)
      if (roster.some((seat) => sameBytes(seat.commitment, member.commitment))) {
        throw new LedgerError('conference_commitment_used', `this wallet already has a seat in ${this.place.call}`)
      }
      const { nullifier } = await this.admission(this.circuits.nullifierOf(member, this.place, session))
      if (nullifier !== 'spent') return session
    }
    throw new LedgerError('conference_session_limit', `a member has at most ${SESSIONS} sessions`)
  }
}

const proofOf = ({ vkHash }: Statement, bytes: Uint8Array): ConferenceProof => ({ vkHash, bytes })

/** Verify a saved proof against its statement only. */
export async function verifyConference(claim: Claim): Promise<ProofOutcome> {
  const { verifyClaim } = await import('../crypto/circuits/conference/index.js')
  const { admissionRoot } = claim.statement
  const isList = admissionRoot === undefined || sameBytes(admissionRootOf(claim.keys ?? []), admissionRoot)
  return isList ? verifyClaim(claim) : 'refused'
}
