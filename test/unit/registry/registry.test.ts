/** The instructions of packages, their errors in order, and the rules of attestations. */
import { beforeEach, describe, expect, it } from 'vitest'
import { ABI_1 } from '../../../src/features/abi.js'
import {
  packageOf,
  registryDomains,
  registryPackages,
  releaseOf,
  versionsOf,
} from '../../../src/features/registry/ledger/tables.js'
import {
  PACKAGES_MAX,
  releaseDigest,
  splitPackage,
  VERSIONS_MAX,
  versionFault,
} from '../../../src/features/registry/schema/records.js'
import { envelopeOf, statementOf } from '../../../src/features/registry/schema/statement.js'
import { domainMembers } from '../../../src/ledger/tables.js'
import * as core from '../../support/core.js'
import { Bench } from '../../support/executor.js'
import {
  accountOfName,
  alice,
  assertion,
  attest,
  attestationOf,
  bob,
  create,
  keyOf,
  manifestOf,
  outsider,
  owner,
  PROVENANCE,
  publish,
  registryWorld,
  remove,
  SHA,
  set,
  tag,
  yank,
} from '../../support/registry.js'

const KIT = 'bank/kit'
let bench: Bench
beforeEach(() => {
  bench = registryWorld()
})
const release = (version = '1.0.0') => releaseOf(bench.state, KIT, version)
const builder = (name: string, sourcePrefix = 'git+https://example.com/') => ({ key: keyOf(name), sourcePrefix })

describe('package versions', () => {
  it.each(['0.0.0', '1.4.0', '2.0.0-rc.1', '1.0.0-0a.b-c', '9007199254740991.0.0'])('include %s', (version) => {
    expect(versionFault(version)).toBeUndefined()
  })
  it.each([
    '',
    '1',
    '1.2',
    '01.2.3',
    '1.02.3',
    '1.2.3-',
    '1.2.3-01',
    '1.2.3+a',
    'v1.2.3',
    '1.2.3 ',
    '9007199254740992.0.0',
  ])('do not include "%s"', (version) => {
    expect(versionFault(version)).toBeDefined()
  })
})

describe('CreatePackage', () => {
  it('rejects each invalid package with its error code, in the order of the checks', () => {
    expect(bench.run(alice, create('nowhere/kit'))).toBe('absent')
    expect(bench.run(alice, create(KIT))).toBe('not_permitted')
    expect(bench.run(owner, create(KIT, 'none', [core.alice, accountOfName('nobody')]))).toBe('unknown_account')
    expect(bench.run(owner, create(KIT))).toBeUndefined()
    expect(bench.run(alice, create(KIT))).toBe('not_permitted')
    expect(bench.run(owner, create(KIT))).toBe('exists')
    expect(bench.run(owner, create('bank/k-it'))).toBe('package_confusable')
    expect(bench.run(owner, create('shop/k-it'))).toBeUndefined()
  })

  it('counts the package as an object of its domain until it is removed', () => {
    const before = bench.state.get(domainMembers, 'bank') ?? 0
    bench.run(owner, create(KIT))
    expect([bench.state.get(domainMembers, 'bank'), bench.state.get(registryDomains, 'bank')]).toEqual([before + 1, 1])
    expect(bench.run(alice, remove(KIT))).toBe('not_permitted')
    expect(bench.run(owner, remove(KIT))).toBeUndefined()
    expect(bench.state.get(domainMembers, 'bank') ?? 0).toBe(before)
    expect(bench.state.has(registryDomains, 'bank')).toBe(false)
    expect(bench.run(owner, remove(KIT))).toBe('absent')
    expect(bench.run(owner, create('bank/k-it'))).toBeUndefined()
  })

  it('refuses a package beyond the limit of its domain', () => {
    bench.state.set(registryDomains, 'bank', PACKAGES_MAX)
    expect(bench.run(owner, create(KIT))).toBe('package_limit')
  })

  it('makes the authority the maintainer if none is given, and removes duplicate maintainers', () => {
    bench.run(owner, create(KIT))
    expect(packageOf(bench.state, KIT)?.maintainers).toEqual([owner])
    bench.run(owner, set(KIT, { maintainers: [alice, bob, alice] }))
    expect(packageOf(bench.state, KIT)?.maintainers).toEqual([alice, bob])
  })
})

describe('CanPublishPackage', () => {
  beforeEach(() => {
    bench.run(owner, create(KIT, 'builder', [alice]))
    bench.genesis(owner, core.permission('grant', 'CanPublishPackage', 'bank', outsider))
  })

  it('allows an account to create packages of the domain, which it then maintains', () => {
    expect(bench.run(outsider, create('bank/tool'))).toBeUndefined()
    expect(bench.run(outsider, create('shop/tool'))).toBe('not_permitted')
    expect(bench.run(outsider, set('bank/tool', { policy: 'signed' }))).toBeUndefined()
    expect(bench.run(outsider, publish('bank/tool', '1.0.0'))).toBe('provenance_required')
  })

  it('does not allow an account to change, weaken or remove packages', () => {
    const before = packageOf(bench.state, KIT)
    expect(bench.run(outsider, set(KIT, { maintainers: [outsider] }))).toBe('not_permitted')
    expect(bench.run(outsider, set(KIT, { maintainers: [outsider], policy: 'none' }))).toBe('not_permitted')
    expect(bench.run(outsider, set(KIT, { policy: 'none' }))).toBe('not_permitted')
    expect(bench.run(outsider, set(KIT, { add: [builder('ci')] }))).toBe('not_permitted')
    expect(bench.run(outsider, remove(KIT))).toBe('not_permitted')
    expect(packageOf(bench.state, KIT)).toEqual(before)
    expect(bench.run(outsider, create('bank/tool', 'signed'))).toBeUndefined()
    expect(bench.run(outsider, set('bank/tool', { policy: 'none' }))).toBe('not_permitted')
    expect(bench.run(outsider, remove('bank/tool'))).toBe('not_permitted')
    expect(bench.run(owner, remove(KIT))).toBeUndefined()
  })
})

describe('PublishRelease', () => {
  beforeEach(() => {
    bench.run(owner, create(KIT, 'none', [alice]))
  })

  it('rejects each invalid release with its error code, in the order of the checks', () => {
    const dependency = { package: 'bank/other', kind: 'runtime', alternatives: [] } as const
    const long = manifestOf({
      description: 'x'.repeat(1_024),
      exports: Array.from({ length: 64 }, (_, at) => `${at}`.padEnd(128, 'e')),
    })
    expect(bench.run(alice, publish('bank/none', '1.0.0'))).toBe('absent')
    expect(bench.run(owner, publish(KIT, '01.0.0'))).toBe('not_permitted')
    expect(bench.run(alice, publish(KIT, '01.0.0'))).toBe('bad_semver')
    expect(bench.run(alice, publish(KIT, '1.0.0', { manifest: long }))).toBe('bad_parameter')
    expect(bench.run(alice, publish(KIT, '1.0.0', { manifest: manifestOf({ dependencies: [dependency] }) }))).toBe(
      'absent',
    )
    expect(bench.run(alice, publish(KIT, '1.0.0'))).toBeUndefined()
    expect(bench.run(alice, publish(KIT, '1.0.0'))).toBe('exists')
    expect(bench.run(owner, remove(KIT))).toBe('not_empty')
  })

  it('stores the digest of package, version and manifest', () => {
    bench.run(alice, publish(KIT, '1.0.0'))
    expect(release()).toMatchObject({
      digest: releaseDigest(KIT, '1.0.0', manifestOf()),
      by: alice,
      position: 0,
      revision: 1,
      yanked: undefined,
      attestations: [],
    })
  })

  it('stores the versions in pages, in the order of publication', () => {
    for (let minor = 0; minor < 130; minor += 1) bench.run(alice, publish(KIT, `1.${minor}.0`))
    const row = packageOf(bench.state, KIT)
    const versions = row === undefined ? [] : versionsOf(bench.state, KIT, row)
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 130 }, (_, at) => `1.${at}.0`))
    expect(bench.run(alice, yank(KIT, '1.64.0', 1))).toBeUndefined()
    expect(row && versionsOf(bench.state, KIT, row).filter(({ isYanked }) => isYanked)).toMatchObject([
      { version: '1.64.0' },
    ])
  })

  it('refuses a version beyond the limit of the package', () => {
    const row = packageOf(bench.state, KIT)
    if (row === undefined) throw new Error('the package does not exist')
    bench.state.set(registryPackages, splitPackage(KIT), { ...row, releases: VERSIONS_MAX })
    expect(bench.run(alice, publish(KIT, '1.0.0'))).toBe('version_limit')
  })

  it('requires the attestation that the policy of the package specifies', () => {
    const by = (name: string, more = {}) => ({ attestation: attestationOf(name, KIT, '1.0.0', more) })
    bench.run(alice, set(KIT, { policy: 'signed', maintainers: [alice, accountOfName('mia')] }))
    expect(bench.run(alice, publish(KIT, '1.0.0'))).toBe('provenance_required')
    expect(bench.run(alice, publish(KIT, '1.0.0', by('ci')))).toBe('provenance_invalid')
    bench.run(alice, set(KIT, { policy: 'builder', add: [builder('ci')] }))
    expect(bench.run(alice, publish(KIT, '1.0.0', by('mia')))).toBe('provenance_invalid')
    expect(bench.run(alice, publish(KIT, '1.0.0', by('ci', { source: 'git+https://evil.example/kit' })))).toBe(
      'provenance_invalid',
    )
    expect(bench.run(alice, publish(KIT, '1.0.0', by('ci', { sha256: new Uint8Array(32) })))).toBe('provenance_invalid')
    expect(bench.run(alice, publish(KIT, '1.0.1', by('ci')))).toBe('provenance_invalid')
    expect(bench.run(alice, publish(KIT, '1.0.0', by('ci')))).toBeUndefined()
    expect(release()?.attestations).toHaveLength(1)
  })
})

describe('SetPackage', () => {
  beforeEach(() => {
    bench.run(owner, create(KIT, 'signed', [alice]))
  })

  it('allows maintainers to strengthen the policy, and only the owner of the domain to weaken it', () => {
    expect(bench.run(outsider, set(KIT, { policy: 'builder' }))).toBe('not_permitted')
    expect(bench.run(alice, set(KIT, { policy: 'builder' }))).toBeUndefined()
    expect(bench.run(alice, set(KIT, { policy: 'none' }))).toBe('not_permitted')
    expect(bench.run(owner, set(KIT, { policy: 'none' }))).toBeUndefined()
    expect(bench.run(alice, set('bank/none', {}))).toBe('absent')
  })

  it('allows the owner of the domain to weaken the policy, and nothing else, unless it maintains the package', () => {
    bench.run(alice, set(KIT, { policy: 'builder' }))
    expect(bench.run(owner, set(KIT, {}))).toBe('not_permitted')
    expect(bench.run(owner, set(KIT, { maintainers: [owner] }))).toBe('not_permitted')
    expect(bench.run(owner, set(KIT, { add: [builder('ci')] }))).toBe('not_permitted')
    expect(bench.run(owner, set(KIT, { policy: 'signed', maintainers: [owner] }))).toBe('not_permitted')
    expect(bench.run(owner, set(KIT, { policy: 'signed', add: [builder('ci')] }))).toBe('not_permitted')
    expect(bench.run(owner, set(KIT, { policy: 'signed' }))).toBeUndefined()
    expect(bench.run(owner, set(KIT, { policy: 'builder' }))).toBe('not_permitted')
    bench.run(alice, set(KIT, { maintainers: [alice, owner] }))
    expect(bench.run(owner, set(KIT, { policy: 'none', maintainers: [alice] }))).toBeUndefined()
    expect(packageOf(bench.state, KIT)).toMatchObject({ policy: 'none', maintainers: [alice] })
  })

  it('revokes builders, but their earlier attestations remain', () => {
    bench.run(alice, set(KIT, { add: [builder('ci')] }))
    bench.run(alice, publish(KIT, '1.0.0', { attestation: attestationOf('ci', KIT, '1.0.0') }))
    expect(bench.run(alice, set(KIT, { add: [builder('ci')] }))).toBe('exists')
    expect(bench.run(alice, set(KIT, { revoke: [keyOf('other')] }))).toBe('absent')
    expect(bench.run(alice, set(KIT, { revoke: [keyOf('ci')] }))).toBeUndefined()
    expect(bench.run(alice, publish(KIT, '1.1.0', { attestation: attestationOf('ci', KIT, '1.1.0') }))).toBe(
      'provenance_invalid',
    )
    expect(release()?.attestations).toHaveLength(1)
  })

  it('replaces the earliest revoked builder if the list is full, and never an active builder', () => {
    const names = Array.from({ length: 8 }, (_, at) => `ci-${at}`)
    bench.run(alice, set(KIT, { add: names.map((name) => builder(name)) }))
    expect(bench.run(alice, set(KIT, { add: [builder('more')] }))).toBe('package_limit')
    for (const name of ['ci-5', 'ci-2']) {
      bench.timeMs += 1
      bench.run(alice, set(KIT, { revoke: [keyOf(name)] }))
    }
    expect(bench.run(alice, set(KIT, { add: [builder('more')] }))).toBeUndefined()
    const keys = packageOf(bench.state, KIT)?.builders.map(({ key }) => Buffer.from(key).toString('hex'))
    expect(keys).not.toContain(Buffer.from(keyOf('ci-5')).toString('hex'))
    expect(keys).toContain(Buffer.from(keyOf('ci-2')).toString('hex'))
  })
})

describe('package releases', () => {
  beforeEach(() => {
    bench.run(owner, create(KIT, 'none', [alice]))
    bench.run(alice, publish(KIT, '1.0.0'))
  })

  it('can be yanked and restored only with their current revision', () => {
    expect(bench.run(alice, yank('bank/none', '1.0.0', 1))).toBe('absent')
    expect(bench.run(alice, yank(KIT, '1.0.0+a', 1))).toBe('absent')
    expect(bench.run(bob, yank(KIT, '1.0.0', 1))).toBe('not_permitted')
    expect(bench.run(alice, yank(KIT, '1.0.0', 2))).toBe('revision_changed')
    expect(bench.run(alice, yank(KIT, '1.0.0', 1))).toBeUndefined()
    expect(bench.run(alice, yank(KIT, '1.0.0', 1, false))).toBe('revision_changed')
    expect(bench.run(alice, yank(KIT, '1.0.0', 2, false))).toBeUndefined()
    expect(release()).toMatchObject({ revision: 3, yanked: undefined })
  })

  it('can be tagged only with the current revision of the tag', () => {
    expect(bench.run(bob, tag(KIT, 'latest', '1.0.0', 0))).toBe('not_permitted')
    expect(bench.run(alice, tag(KIT, 'latest', '1.1.0', 0))).toBe('absent')
    expect(bench.run(alice, tag(KIT, 'latest', undefined, 0))).toBe('absent')
    expect(bench.run(alice, tag(KIT, 'latest', '1.0.0', 1))).toBe('revision_changed')
    expect(bench.run(alice, tag(KIT, 'latest', '1.0.0', 0))).toBeUndefined()
    expect(bench.run(alice, tag(KIT, 'latest', '1.0.0', 0))).toBe('revision_changed')
    expect(bench.run(alice, tag(KIT, 'latest', undefined, 1))).toBeUndefined()
    expect(packageOf(bench.state, KIT)?.tags).toEqual([])
    for (let at = 0; at < 16; at += 1) bench.run(alice, tag(KIT, `t${at}`, '1.0.0', 0))
    expect(bench.run(alice, tag(KIT, 'more', '1.0.0', 0))).toBe('package_limit')
  })

  it('can be attested by builders and maintainers, once per key and at most eight times', () => {
    const names = Array.from({ length: 7 }, (_, at) => `ci-${at}`)
    bench.run(
      alice,
      set(KIT, {
        maintainers: [alice, accountOfName('mia')],
        add: [builder('ci'), ...names.map((name) => builder(name))],
      }),
    )
    const ci = attestationOf('ci', KIT, '1.0.0')
    expect(bench.run(outsider, attest(KIT, '1.0.0', ci))).toBe('not_permitted')
    expect(bench.run(accountOfName('ci'), attest(KIT, '1.1.0', ci))).toBe('absent')
    expect(bench.run(accountOfName('ci'), attest(KIT, '1.0.0', { ...ci, signature: new Uint8Array(64) }))).toBe(
      'provenance_invalid',
    )
    expect(bench.run(accountOfName('ci'), attest(KIT, '1.0.0', ci))).toBeUndefined()
    expect(bench.run(alice, attest(KIT, '1.0.0', ci))).toBe('exists')
    for (const name of names)
      expect(bench.run(alice, attest(KIT, '1.0.0', attestationOf(name, KIT, '1.0.0')))).toBeUndefined()
    expect(bench.run(alice, attest(KIT, '1.0.0', attestationOf('mia', KIT, '1.0.0')))).toBe('provenance_invalid')
  })

  it('can be asserted by their digest unless they are yanked', () => {
    const digest = releaseDigest(KIT, '1.0.0', manifestOf())
    expect(bench.run(outsider, assertion(KIT, '1.0.0', digest))).toBeUndefined()
    expect(bench.run(outsider, assertion(KIT, '1.0.0', new Uint8Array(32)))).toBe('release_changed')
    expect(bench.run(outsider, assertion(KIT, '9.0.0', digest))).toBe('release_changed')
    expect(bench.run(outsider, assertion('bank/none', '1.0.0', digest))).toBe('release_changed')
    bench.run(alice, yank(KIT, '1.0.0', 1))
    expect(bench.run(outsider, assertion(KIT, '1.0.0', digest))).toBe('release_changed')
  })
})

describe('the statement of an attestation', () => {
  const subject = { package: KIT, version: '1.0.0', sha256: SHA }

  it('is an in-toto statement about the archive of the release', () => {
    expect(JSON.parse(statementOf(subject, PROVENANCE))).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'pkg:causeway/bank/kit@1.0.0', digest: { sha256: SHA.toString('hex') } }],
      predicate: { buildDefinition: { externalParameters: { source: PROVENANCE.source } } },
    })
  })

  it('is the payload of its envelope', () => {
    const { payload, signatures } = envelopeOf(subject, attestationOf('ci', KIT, '1.0.0'))
    expect(Buffer.from(payload, 'base64').toString()).toBe(statementOf(subject, PROVENANCE))
    expect(signatures).toHaveLength(1)
  })
})

it('packages do not exist under ABI 1', () => {
  const first = new Bench(undefined, ABI_1)
  first.genesis(owner, core.registerDomain('bank'), core.registerAccount(owner))
  expect(() => first.run(owner, create(KIT))).toThrow()
})
