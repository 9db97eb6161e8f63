/** Offline verification of releases: the proof file, its row, the attestations, and the archive; headers have real certificates. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StateRecordProof, stateRecordProof } from '../../../src/api/index.js'
import { releaseInProof, verifiedArchive } from '../../../src/cli/registry/verify.js'
import { releaseOfRow, validAttestations } from '../../../src/client/releases.js'
import { selectCommittee, sortRoster } from '../../../src/consensus/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { registryReleases } from '../../../src/features/registry/ledger/tables.js'
import { type ReleaseRow, releaseKey, releaseRow } from '../../../src/features/registry/schema/stored.js'
import { chainHashOf, genesisSeed, hashOfHeader, payloadHash } from '../../../src/model/index.js'
import { MemoryBackend, rowKey, WorldState } from '../../../src/state/index.js'
import { certificateOf } from '../../support/certificates.js'
import { CHAIN, testPeer } from '../../support/chain.js'
import { genesisHeader, headerAfter } from '../../support/headers.js'
import { rowsOf } from '../../support/nodes.js'
import {
  accountOfName,
  alice,
  attest,
  attestationOf,
  create,
  keyOf,
  manifestOf,
  owner,
  publish,
  registryWorld,
  set,
  yank,
} from '../../support/registry.js'

const KEY = { package: 'bank/kit', version: '1.0.0' }
const CODEC = { addressPrefix: 'cw' }
const ARCHIVE = 'hi\n'
const sha256 = createHash('sha256').update(ARCHIVE).digest()
const manifest = manifestOf({
  archive: { sha256, bytes: ARCHIVE.length, mediaType: 'application/gzip', cid: undefined },
})
const GENESIS_BODY = Buffer.from('genesis of a test')

let dir: string
let world: WorldState
let proof: StateRecordProof
let genesisHash: string
let row: ReleaseRow
let value: Uint8Array

/** Proof of a row of releases under the state root of block 2. */
async function proven(version: string): Promise<StateRecordProof> {
  const peers = await Promise.all([0, 1, 2, 3].map((index) => testPeer(index)))
  const roster = sortRoster(peers.map(({ peer }) => peer.key))
  const seed = genesisSeed(GENESIS_BODY)
  const chainHash = chainHashOf(CHAIN, seed)
  const committee = selectCommittee(roster, chainHash, seed, 2)
  const genesis = { ...genesisHeader(committee.hash), payloadHash: payloadHash(GENESIS_BODY) }
  const header = { ...headerAfter(genesis, chainHash, () => ({ roster, seed })), stateRoot: world.root }
  const context = { committee, chainHash, epoch: 0, height: 2 } as never
  const certified = { header, certificate: certificateOf(context, peers, 'commit', header) }
  const key = { ...KEY, version }
  const { bytes, proof: path } = world.prove(rowKey(registryReleases, key))
  const finality = {
    genesisHeader: genesis,
    genesisPayload: GENESIS_BODY,
    rosters: [{ height: 2, roster, epoch: undefined, before: undefined, first: certified }],
    block: certified,
  }
  return { height: 2, tableId: registryReleases.id, key: releaseKey.encode(key), value: bytes, proof: path, finality }
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'release-'))
  const bench = registryWorld()
  bench.run(owner, create(KEY.package, 'none', [alice, accountOfName('mia')]))
  bench.run(alice, set(KEY.package, { add: [{ key: keyOf('ci'), sourcePrefix: 'git+' }] }))
  for (const version of ['1.0.0', '1.1.0']) {
    const attestation = attestationOf('ci', KEY.package, version, { sha256 })
    expect(bench.run(alice, publish(KEY.package, version, { manifest, attestation }))).toBeUndefined()
  }
  expect(bench.run(alice, attest(KEY.package, '1.0.0', attestationOf('mia', KEY.package, '1.0.0', { sha256 })))).toBe(
    undefined,
  )
  bench.run(alice, yank(KEY.package, '1.1.0', 1))
  world = await WorldState.open({ backend: new MemoryBackend(), treeBits: 4, context: ABI_2.codec('cw') })
  await world.commit(world.prepareRows(rowsOf(bench.state)), { height: 2 })
  proof = await proven('1.0.0')
  genesisHash = hashOfHeader(proof.finality.genesisHeader).toString('hex')
  if (proof.value === undefined) throw new Error('the release exists')
  value = proof.value
  row = releaseOfRow(KEY, value, CODEC)
})
afterAll(() => rmSync(dir, { recursive: true }))

const fileOf = (content: string | StateRecordProof, name = 'proof.json'): string => {
  const path = join(dir, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(stateRecordProof.toJson(content, CODEC)))
  return path
}
const inProof = (content: string | StateRecordProof, hash = genesisHash, key = KEY) =>
  releaseInProof(fileOf(content), hash, CODEC.addressPrefix, key)

/** Bytes with one bit flipped. */
function flipped(bytes: Uint8Array, at: number): Buffer {
  const out = Buffer.from(bytes)
  out[at] = (out[at] ?? 0) ^ (1 << (at % 8))
  return out
}

describe('releaseInProof', () => {
  it('returns the release that the genesis hash proves, and its height', async () => {
    const { release, height } = await inProof(proof)
    expect([release, height]).toEqual([row, 2])
    expect(release.manifest).toEqual(manifest)
  })

  it('refuses another genesis hash, and text that is not one', async () => {
    await expect(inProof(proof, '0'.repeat(64))).rejects.toMatchObject({ code: 'proof_invalid' })
    await expect(inProof(proof, flipped(Buffer.from(genesisHash, 'hex'), 31).toString('hex'))).rejects.toMatchObject({
      code: 'proof_invalid',
    })
    await expect(inProof(proof, 'abc')).rejects.toMatchObject({ code: 'usage' })
  })

  it('refuses the row of another version, of another table, and a value of another row', async () => {
    const other = await proven('1.1.0')
    const refused = { code: 'proof_invalid' }
    await expect(inProof(other)).rejects.toMatchObject(refused)
    await expect(inProof(proof, genesisHash, { ...KEY, package: 'bank/kid' })).rejects.toMatchObject(refused)
    await expect(inProof({ ...proof, tableId: 1301 })).rejects.toMatchObject(refused)
    await expect(inProof({ ...proof, value: other.value })).rejects.toMatchObject(refused)
    await expect(inProof({ ...proof, value: undefined })).rejects.toMatchObject(refused)
    await expect(inProof({ ...proof, height: 3 })).rejects.toMatchObject(refused)
  })

  it('refuses a flipped bit of the row, of the state root and of the certificate', async () => {
    for (let at = 0; at < value.length; at += 97) {
      await expect(inProof({ ...proof, value: flipped(value, at) }), `byte ${at}`).rejects.toMatchObject({
        code: 'proof_invalid',
      })
    }
    const { block } = proof.finality
    const header = { ...block.header, stateRoot: flipped(block.header.stateRoot, 3) }
    const changed = { ...proof.finality, block: { ...block, header } }
    await expect(inProof({ ...proof, finality: changed })).rejects.toMatchObject({ code: 'proof_invalid' })
    const certificate = { ...block.certificate, view: block.certificate.view + 1 }
    const forged = { ...proof.finality, block: { ...block, certificate } }
    await expect(inProof({ ...proof, finality: forged })).rejects.toMatchObject({ code: 'proof_invalid' })
  })

  it('reports a proven absence as not_found, and a file that is not a proof with its fault', async () => {
    const key = { ...KEY, version: '2.0.0' }
    await expect(inProof(await proven('2.0.0'), genesisHash, key)).rejects.toMatchObject({ code: 'not_found' })
    await expect(inProof('{}')).rejects.toMatchObject({ code: 'missing_field' })
    await expect(inProof('{')).rejects.toThrow()
  })
})

describe('releaseOfRow', () => {
  const refused = expect.objectContaining({ code: 'proof_invalid' })
  const read = (key: typeof KEY, bytes: Uint8Array) => () => releaseOfRow(key, bytes, CODEC)

  it('refuses the row of another package or version, because its digest covers both', () => {
    expect(read({ ...KEY, version: '1.0.1' }, value)).toThrow(refused)
    expect(read({ ...KEY, package: 'bank/tool' }, value)).toThrow(refused)
  })

  it('refuses a row whose manifest differs from its digest, and bytes that are not a row', () => {
    const other = { ...row, manifest: { ...row.manifest, license: 'GPL-3.0' } }
    expect(read(KEY, releaseRow.encode(other))).toThrow(refused)
    expect(read(KEY, value.subarray(1))).toThrow(refused)
    expect(read(KEY, Buffer.alloc(0))).toThrow(refused)
  })
})

describe('validAttestations', () => {
  const hex = (name: string) => Buffer.from(keyOf(name)).toString('hex')
  const withSecond = (change: object): ReleaseRow => ({
    ...row,
    attestations: row.attestations.map(({ atMs, attestation }, at) => ({
      atMs,
      attestation: at === 1 ? { ...attestation, ...change } : attestation,
    })),
  })

  it('lists the keys whose signature covers the statement', () => {
    expect(validAttestations(KEY, row)).toEqual([hex('ci'), hex('mia')])
  })

  it('excludes a changed signature, key or field, and every attestation of another archive or release', () => {
    const second = row.attestations[1]?.attestation
    if (second === undefined) throw new Error('the release has two attestations')
    for (const change of [
      { signature: flipped(second.signature, 5) },
      { signature: Buffer.alloc(64) },
      { key: keyOf('other') },
      { provenance: { ...second.provenance, commit: '4f2b' } },
    ]) {
      expect(validAttestations(KEY, withSecond(change)), Object.keys(change).join()).toEqual([hex('ci')])
    }
    const archive = { ...row.manifest.archive, sha256: flipped(sha256, 0) }
    expect(validAttestations(KEY, { ...row, manifest: { ...row.manifest, archive } })).toEqual([])
    expect(validAttestations({ ...KEY, version: '1.0.1' }, row)).toEqual([])
  })
})

describe('verifiedArchive', () => {
  it('is valid for the archive alone, and warns of a yank', async () => {
    const path = fileOf(ARCHIVE, 'kit.tgz')
    const of = (file: string, release = row) => verifiedArchive(file, KEY, { release, height: 2 })
    expect(await of(path)).toMatchObject({ valid: true, warning: null, height: 2 })
    expect(await of(fileOf(`${ARCHIVE}x`, 'longer.tgz'))).toMatchObject({ valid: false })
    expect(await of(fileOf('ho\n', 'other.tgz'))).toMatchObject({ valid: false })
    const yanked = { ...row, yanked: { atMs: 1, reason: 'broken' } }
    expect(await of(path, yanked)).toMatchObject({ valid: true, warning: 'the release is yanked: broken' })
  })
})
