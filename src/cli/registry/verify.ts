/** Owns the verification of archives: the proven release, from a node or a file, and the digest of the archive. */
import { stateRecordProof } from '../../api/index.js'
import { sameBytes } from '../../base/bytes.js'
import { verifyStateRecord } from '../../client/proofs.js'
import { askedRelease, releaseOfRow, validAttestations } from '../../client/releases.js'
import { InlineCrypto } from '../../crypto/index.js'
import type { ReleaseKey, ReleaseRow } from '../../features/registry/schema/stored.js'
import { LedgerError } from '../../model/index.js'
import { withGateway } from '../gateway/gateway.js'
import { inputName, readInput } from '../input/input.js'
import { parseJsonText } from '../input/json.js'
import type { Settings } from '../settings/settings.js'
import { usageError } from '../terminal/failure.js'
import { digestOfFile } from './release.js'

/** Maximum size of a proof, in bytes: it contains a genesis with many instructions. */
const PROOF_MAX_BYTES = 128 * 1024 * 1024

/** Proven release and its height. */
interface Proven {
  readonly release: ReleaseRow
  readonly height: number
}

const noRelease = (key: ReleaseKey): LedgerError =>
  new LedgerError('not_found', `package ${key.package} has no version ${key.version}`)

/** Release from a node, proven against its pinned genesis hash. */
export async function releaseOnline(settings: Settings, key: ReleaseKey): Promise<Proven> {
  const { release, height } = await withGateway(settings, (client) => client.provenRelease(key.package, key.version))
  if (release === undefined) throw noRelease(key)
  return { release, height }
}

/** Release in a proof file. Throws `proof_invalid`, or a codec error if it is not a proof. */
export async function releaseInProof(
  path: string,
  digits: string,
  addressPrefix: string,
  key: ReleaseKey,
): Promise<Proven> {
  if (!/^[0-9a-f]{64}$/i.test(digits))
    throw usageError('--genesis-hash: expected 64 hex digits', 'causeway registry verify --help')
  const name = inputName(path)
  const json = parseJsonText(await readInput(path, PROOF_MAX_BYTES), name, PROOF_MAX_BYTES)
  const parsed = stateRecordProof.fromJson(json, { addressPrefix })
  if (!parsed.ok) throw new LedgerError(parsed.fault.code, `${name}: ${parsed.fault.message}`)
  const proof = parsed.value
  const { tableId, keyBytes } = askedRelease(key)
  if (proof.tableId !== tableId || !sameBytes(proof.key, keyBytes))
    throw new LedgerError('proof_invalid', `${name}: the proof is of another row`)
  const crypto = await InlineCrypto.create()
  try {
    const checked = await verifyStateRecord(proof, Buffer.from(digits, 'hex'), crypto)
    if (!checked.ok) throw new LedgerError('proof_invalid', `${name}: ${checked.fault}`)
    if (proof.value === undefined) throw noRelease(key)
    return { release: releaseOfRow(key, proof.value, { addressPrefix }), height: proof.height }
  } finally {
    await crypto.close()
  }
}

/** Result of a verification, for printing. */
export interface ArchiveView {
  readonly package: string
  readonly version: string
  readonly valid: boolean
  readonly sha256: string
  readonly expected_sha256: string
  readonly attested_by: readonly string[]
  readonly height: number
  readonly warning: string | null
}

/** Compare an archive with a proven release. */
export async function verifiedArchive(
  path: string,
  key: ReleaseKey,
  { release, height }: Proven,
): Promise<ArchiveView> {
  const { bytes, sha256 } = await digestOfFile(path)
  const { archive } = release.manifest
  return {
    ...key,
    valid: bytes === archive.bytes && sameBytes(sha256, archive.sha256),
    sha256: sha256.toString('hex'),
    expected_sha256: Buffer.from(archive.sha256).toString('hex'),
    attested_by: validAttestations(key, release),
    height,
    warning: release.yanked === undefined ? null : `the release is yanked: ${release.yanked.reason}`,
  }
}
