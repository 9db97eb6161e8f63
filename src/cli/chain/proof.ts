/** Owns the verification of proof files: their kind, their content, and the error if they are invalid. */

import { finalityProof, stateRecordProof, transactionProof } from '../../api/index.js'
import { type ProofResult, verifyFinality, verifyStateRecord, verifyTransaction } from '../../client/proofs.js'
import type { Json, Schema } from '../../codec/index.js'
import { isJsonObject } from '../../codec/schema.js'
import { type CryptoService, InlineCrypto } from '../../crypto/index.js'
import { hashOfHeader, LedgerError } from '../../model/index.js'
import { inputName, readInput } from '../input/input.js'
import { parseJsonText } from '../input/json.js'

/** Maximum size of a proof, in bytes: it contains a genesis with many instructions. */
const PROOF_MAX_BYTES = 128 * 1024 * 1024

/** Content of a verified proof. */
export interface ProofView {
  readonly shows: 'block' | 'transaction' | 'record' | 'absence'
  readonly chain: string
  readonly height: number
  readonly block_hash: string
  /** The transaction with its outcome, or the record as hex. */
  readonly detail: string | undefined
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

function read<T>(schema: Schema<T>, json: Json, name: string): T {
  const parsed = schema.fromJson(json)
  if (parsed.ok) return parsed.value
  throw new LedgerError(parsed.fault.code, `${name}: ${parsed.fault.message}`)
}

/** Result of a verification and its subject. */
interface Verified extends Pick<ProofView, 'shows' | 'detail'> {
  readonly result: ProofResult
}

async function verifyProof(
  json: Json,
  name: string,
  genesisHash: Uint8Array,
  crypto: CryptoService,
): Promise<Verified> {
  const fields = isJsonObject(json) ? Object.keys(json) : []
  if (fields.includes('transaction_proof')) {
    const proof = read(transactionProof, json, name)
    const detail = `${hex(proof.transactionHash)} ${proof.result.outcome.kind}`
    return { shows: 'transaction', detail, result: await verifyTransaction(proof, genesisHash, crypto) }
  }
  if (fields.includes('table_id')) {
    const proof = read(stateRecordProof, json, name)
    const detail = `table ${proof.tableId}, key ${hex(proof.key)}${proof.value === undefined ? '' : `, value ${hex(proof.value)}`}`
    const shows = proof.value === undefined ? 'absence' : 'record'
    return { shows, detail, result: await verifyStateRecord(proof, genesisHash, crypto) }
  }
  const proof = read(finalityProof, json, name)
  return { shows: 'block', detail: undefined, result: await verifyFinality(proof, genesisHash, crypto) }
}

/** Verify the proof in a file. Throws `proof_invalid` if it is invalid, the codec's code if it is not a proof. */
export async function checkProof(path: string, genesisHash: Uint8Array): Promise<ProofView> {
  const name = inputName(path)
  const json = parseJsonText(await readInput(path, PROOF_MAX_BYTES), name, PROOF_MAX_BYTES)
  const crypto = await InlineCrypto.create()
  try {
    const { shows, detail, result } = await verifyProof(json, name, genesisHash, crypto)
    if (!result.ok) throw new LedgerError('proof_invalid', `${name}: ${result.fault}`)
    const { header } = result.block
    return { shows, chain: header.chain, height: header.height, block_hash: hex(hashOfHeader(header)), detail }
  } finally {
    await crypto.close()
  }
}
