/** Owns the verification of a proven contract from a gateway; only the pinned genesis hash is trusted. */
import { sameBytes } from '../../base/bytes.js'
import { type ProofResult, verifyStateRecord } from '../../client/proofs.js'
import { decodeWith } from '../../codec/index.js'
import { type CryptoService, InlineCrypto } from '../../crypto/index.js'
import { artifactHashOf, CONTRACT_TABLES, codeHashOf, instance } from '../../features/contracts/schema/records.js'
import { type ProvenContract, provenContract } from '../../features/contracts/schema/routes.js'
import { accountId, formatAddress, hashOfHeader, LedgerError } from '../../model/index.js'
import { checkModule, ModuleFault } from '../../vm/index.js'
import { inputName, readInput } from '../input/input.js'
import { parseJsonText } from '../input/json.js'

/** Maximum size of a bundle, in bytes: it contains a genesis with many instructions. */
const BUNDLE_MAX_BYTES = 128 * 1024 * 1024

/** Content of a verified bundle. */
export interface ProvenView {
  readonly contract: string
  readonly artifact: string
  readonly code_hash: string
  readonly name: string
  readonly owner: string
  readonly status: string
  readonly chain: string
  readonly height: number
  readonly block_hash: string
  readonly valid: true
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/**
 * Human-readable part of the addresses of a chain, which follows the name in its genesis. Decoding the rest of the
 * genesis needs the ABI of that chain.
 */
function addressPrefixOf(genesis: Uint8Array): string | undefined {
  const read = decodeWith(genesis, (reader) => {
    const text = (): string => {
      const size = reader.varint()
      const at = reader.take(size)
      return Buffer.from(reader.buf.subarray(at, at + size)).toString('utf8')
    }
    text()
    const prefix = text()
    reader.skip(reader.end - reader.pos)
    return prefix
  })
  return read.ok ? read.value : undefined
}

/** Verify a bundle; returns the reason as a string if it is invalid. */
export async function provenContractView(
  { proof, manifest, code }: ProvenContract,
  genesisHash: Uint8Array,
  crypto: CryptoService,
): Promise<ProvenView | string> {
  const result: ProofResult = await verifyStateRecord(proof, genesisHash, crypto)
  if (!result.ok) return result.fault
  if (proof.tableId !== CONTRACT_TABLES.instance) return `the row belongs to table ${proof.tableId}, not to contracts`
  if (proof.value === undefined) return 'the contract did not exist at this height'
  const address = accountId.decode(proof.key)
  const row = instance.decode(proof.value)
  const addressPrefix = addressPrefixOf(proof.finality.genesisPayload)
  if (!address.ok || !row.ok || addressPrefix === undefined) return 'this release cannot read its records'
  const artifact = artifactHashOf(code, manifest)
  if (!sameBytes(artifact, row.value.artifact)) return 'module and manifest do not belong to the contract'
  const codeHash = codeHashOf(code)
  if (!sameBytes(codeHash, manifest.codeHash)) return 'the manifest belongs to another module'
  try {
    checkModule(code)
  } catch (error) {
    if (error instanceof ModuleFault) return `the module does not match the profile: ${error.message}`
    throw error
  }
  const { header } = result.block
  return {
    contract: formatAddress(address.value, addressPrefix),
    artifact: hex(artifact),
    code_hash: hex(codeHash),
    name: manifest.name,
    owner: formatAddress(row.value.owner, addressPrefix),
    status: row.value.status,
    chain: header.chain,
    height: header.height,
    block_hash: hex(hashOfHeader(header)),
    valid: true,
  }
}

/** Verify the bundle in a file. Throws `proof_invalid` if it is invalid, the codec's code if it is not a bundle. */
export async function verifyProven(path: string, genesisHash: Uint8Array): Promise<ProvenView> {
  const name = inputName(path)
  const json = parseJsonText(await readInput(path, BUNDLE_MAX_BYTES), name, BUNDLE_MAX_BYTES)
  const parsed = provenContract.fromJson(json)
  if (!parsed.ok) throw new LedgerError(parsed.fault.code, `${name}: ${parsed.fault.message}`)
  const crypto = await InlineCrypto.create()
  try {
    const view = await provenContractView(parsed.value, genesisHash, crypto)
    if (typeof view === 'string') throw new LedgerError('proof_invalid', `${name}: ${view}`)
    return view
  } finally {
    await crypto.close()
  }
}
