/** Owns dry runs: a single payload in a block after the last one, on an overlay that is discarded. */
import { dryRun } from '../../api/index.js'
import { type CodecContext, lazyOf } from '../../codec/index.js'
import { type Abi, EXECUTIONS, type ExecutableEntry, executeBlock, routeOfPayload } from '../../executor/index.js'
import { policyOf } from '../../ledger/multisig-tables.js'
import {
  type AccountKey,
  isErrorCode,
  keyOfAccount,
  LedgerError,
  type MultisigPolicy,
  outcomeNameOf,
  type QuorumCertificate,
  type SignedTransaction,
  signedHash,
  signedTransaction,
  type TransactionPayload,
  transactionId,
  transactionPayload,
  weightOf,
} from '../../model/index.js'
import type { StateReader } from '../../state/index.js'
import { ROUTE_TEXT } from '../admission/refusals.js'
import type { QueryState } from '../ledger/query.js'
import { invalidEntries, type ValidityContext } from '../ledger/validity.js'

/** Length of a signature in bytes; its cost does not depend on its value. */
const SIGNATURE_BYTES = 64

/** Data sources of a dry run. */
export interface DryRunSources {
  readonly abi: Abi
  readonly codec: CodecContext
  readonly state: QueryState
  readonly chainHash: Uint8Array
  /** Certificate of the head, which the next block contains. */
  readonly certificate: QuorumCertificate | undefined
  /** Inputs of validity at the time of the dry run's block. */
  readonly validity: ValidityContext
}

/**
 * Signers of a dry run: the key of the authority, or as many members as the quorum needs, in the order of the policy.
 */
function signersOf(authority: string, policy: MultisigPolicy | undefined): AccountKey[] {
  const own = keyOfAccount(authority)
  if (own !== undefined) return [own]
  const signers: AccountKey[] = []
  const accounts = new Set<string>()
  for (const { account } of policy?.members ?? []) {
    const key = keyOfAccount(account)
    if (policy === undefined || key === undefined || weightOf(policy, accounts) >= policy.quorum) continue
    accounts.add(account)
    signers.push(key)
  }
  return signers
}

/** Payload as its authority would sign it, with placeholder signatures. */
function asSigned(state: StateReader, value: TransactionPayload, codec: CodecContext) {
  const policy = policyOf(state, value.authority)
  const signed: SignedTransaction = {
    payload: lazyOf(transactionPayload, value, codec),
    signatures: signersOf(value.authority, policy).map((publicKey) => ({
      publicKey,
      signature: Buffer.alloc(SIGNATURE_BYTES),
    })),
    policy,
  }
  return { signed, signedBytes: signedTransaction.encode(signed, codec) }
}

/** Run a payload in canonical bytes and return the record of the dry run. Throws the error of admission. */
export function tryPayload(sources: DryRunSources, bytes: Uint8Array): Uint8Array {
  const { abi, codec, state, chainHash, certificate, validity } = sources
  const decoded = transactionPayload.decode(bytes, codec)
  if (!decoded.ok) throw new LedgerError(decoded.fault.code, decoded.fault.message)
  const payload = decoded.value
  const route = routeOfPayload(abi, payload, validity.lanes?.route)
  if (route.kind === 'refused') throw new LedgerError('queue_unresolved_route', ROUTE_TEXT[route.value.fault])
  const { lane, dataspace } = route.value
  const { signed, signedBytes } = asSigned(state.reader, payload, codec)
  const id = transactionId(bytes)
  const entry: ExecutableEntry = { lane, dataspace, id, signedHash: signedHash(signedBytes), signedBytes, signed }
  const [invalid] = invalidEntries(validity, [entry])
  if (invalid !== undefined) {
    throw new LedgerError(isErrorCode(invalid.code) ? invalid.code : 'bad_value', invalid.message)
  }
  const height = state.height + 1
  const run = executeBlock(
    EXECUTIONS.dryRun,
    {
      abi,
      chain: validity.chain,
      chainHash,
      height,
      originView: 0,
      timeMs: validity.timeMs,
      parentCertificate: certificate,
      evidence: [],
      entries: [entry],
    },
    state.overlay(),
  )
  const result = run.results[0]
  if (result === undefined) throw new Error('a block of one transaction has no result')
  return dryRun.encode(
    {
      hash: id,
      height,
      timeMs: validity.timeMs,
      lane,
      dataspace,
      outcome: outcomeNameOf(result.outcome),
      called: result.outcome.kind === 'called' ? result.outcome.value : undefined,
      rejection: run.rejections.get(0),
      teu: result.teu,
      events: run.events.filter((event) => event.entry === 0).map(({ event }) => event),
    },
    codec,
  )
}
