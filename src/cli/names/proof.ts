/** Owns proofs of names in files: reading, verification, display. */
import { nameProof, verifyNameProof } from '../../client/name-proof.js'
import { InlineCrypto } from '../../crypto/index.js'
import { ASSET_RECORD } from '../../features/names/schema/records.js'
import { formatAddress, hashOfHeader, LedgerError } from '../../model/index.js'
import { inputName, readInput } from '../input/input.js'
import { parseJsonText } from '../input/json.js'

/** Maximum size of a proof, in bytes: it contains a genesis with many instructions. */
const PROOF_MAX_BYTES = 128 * 1024 * 1024

/** Proven name, for printing. */
export interface ProvenNameView {
  readonly name: string
  readonly standing: string | null
  readonly account_id: string | null
  readonly chain: string
  readonly height: number
  readonly time_ms: number
  readonly block_hash: string
  readonly expires_ms: number | null
  readonly asset_definition_id: string | null
}

/** Trusted inputs of a verification. */
export interface Trust {
  readonly genesisHash: Uint8Array
  readonly addressPrefix: string
  /** Maximum age of the block, in ms; undefined: any. */
  readonly maxAgeMs: number | undefined
}

/** Verify the proof in a file. Throws `proof_invalid`, `history_incomplete`, or the codec's code if it is not a proof. */
export async function checkNameProof(
  path: string,
  { genesisHash, addressPrefix, maxAgeMs }: Trust,
): Promise<ProvenNameView> {
  const name = inputName(path)
  const json = parseJsonText(await readInput(path, PROOF_MAX_BYTES), name, PROOF_MAX_BYTES)
  const parsed = nameProof.fromJson(json, { addressPrefix })
  if (!parsed.ok) throw new LedgerError(parsed.fault.code, `${name}: ${parsed.fault.message}`)
  const crypto = await InlineCrypto.create()
  try {
    const result = await verifyNameProof(parsed.value, genesisHash, crypto)
    if (!result.ok) throw new LedgerError(result.code, `${name}: ${result.fault}`)
    const { header, timeMs, account, standing, row, ...state } = result.state
    const ageMs = Date.now() - timeMs
    if (maxAgeMs !== undefined && ageMs > maxAgeMs)
      throw new LedgerError('proof_invalid', `${name}: the block is ${ageMs} ms old, at most ${maxAgeMs} are accepted`)
    return {
      name: state.name,
      standing: standing ?? null,
      account_id: account === undefined ? null : formatAddress(account, addressPrefix),
      chain: header.chain,
      height: state.height,
      time_ms: timeMs,
      block_hash: hashOfHeader(header).toString('hex'),
      expires_ms: row?.expiresMs ?? null,
      asset_definition_id: row?.records.get(ASSET_RECORD) ?? null,
    }
  } finally {
    await crypto.close()
  }
}

/** Lines of a proven name. */
export const provenFields = (view: ProvenNameView): [string, string | undefined][] => [
  ['name', view.name],
  ['standing', view.standing ?? 'does not exist'],
  ['account', view.account_id ?? undefined],
  ['asset', view.asset_definition_id ?? undefined],
  ['chain', view.chain],
  ['height', String(view.height)],
  ['time', new Date(view.time_ms).toISOString()],
  ['block', view.block_hash],
  ['result', 'valid'],
]
