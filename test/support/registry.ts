/** Owns packages for tests: attesting keys, manifests and short forms of instructions. */
import type { NodeServices } from '../../src/api/services.js'
import { ed25519PublicKey, signEd25519 } from '../../src/crypto/ed25519.js'
import { hash } from '../../src/crypto/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { registryHandlers } from '../../src/features/registry/node/handlers.js'
import { instructions as registry } from '../../src/features/registry/schema/instructions.js'
import type { Attestation, ReleaseManifest, ReleasePolicy } from '../../src/features/registry/schema/records.js'
import { signedBytesOf } from '../../src/features/registry/schema/statement.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  type Instruction,
  instruction,
  type QueryDef,
} from '../../src/model/index.js'
import * as core from './core.js'
import { Bench } from './executor.js'

export const { owner, alice, bob, outsider } = core
export const START_MS = 1_760_000_000_000

/** Secret of a builder or maintainer, from its name. */
const seedOf = (name: string): Buffer => hash('test-builder', Buffer.from(name))
export const keyOf = (name: string): Uint8Array => ed25519PublicKey(seedOf(name))
/** Account of such a key. */
export const accountOfName = (name: string): AccountId => accountOfKey(accountKeyOf('ed25519', keyOf(name)))

/** Digest of an archive, from its name. */
export const hashOf = (name: string): Buffer => hash('test-archive', Buffer.from(name))
export const SHA = hash('test-archive', Buffer.of(1))
export const manifestOf = (more: Partial<ReleaseManifest> = {}): ReleaseManifest => ({
  archive: { sha256: SHA, bytes: 3, mediaType: 'application/gzip', cid: undefined },
  codeHash: undefined,
  abiHash: undefined,
  dependencies: [],
  exports: [],
  license: 'MIT',
  description: '',
  ...more,
})

export const PROVENANCE = {
  buildType: 'https://example.com/build/v1',
  source: 'git+https://example.com/kit',
  commit: '4f2a',
  builder: 'https://example.com/ci',
  invocation: 'run-1',
}

/** Attestation of a release by the key of a name. */
export function attestationOf(
  name: string,
  id: string,
  version: string,
  { source = PROVENANCE.source, sha256 = SHA }: { readonly source?: string; readonly sha256?: Uint8Array } = {},
): Attestation {
  const provenance = { ...PROVENANCE, source }
  const bytes = signedBytesOf({ package: id, version, sha256 }, provenance)
  return { key: keyOf(name), provenance, signature: signEd25519(seedOf(name), bytes) }
}

export const create = (
  id: string,
  policy: ReleasePolicy = 'none',
  maintainers: readonly AccountId[] = [],
): Instruction => instruction(registry.createPackage, { package: id, maintainers, policy })
export const publish = (
  id: string,
  version: string,
  more: { readonly manifest?: ReleaseManifest; readonly attestation?: Attestation } = {},
): Instruction =>
  instruction(registry.publishRelease, {
    package: id,
    version,
    manifest: more.manifest ?? manifestOf(),
    attestation: more.attestation,
  })
export const yank = (id: string, version: string, revision: number, yanked = true): Instruction =>
  instruction(registry.yankRelease, { package: id, version, revision, yanked, reason: 'broken' })
export const tag = (id: string, name: string, version: string | undefined, revision: number): Instruction =>
  instruction(registry.setTag, { package: id, tag: name, version, revision })
export const attest = (id: string, version: string, attestation: Attestation): Instruction =>
  instruction(registry.attestRelease, { package: id, version, attestation })
export const assertion = (id: string, version: string, digest: Uint8Array): Instruction =>
  instruction(registry.assertRelease, { package: id, version, digest })
export const remove = (id: string): Instruction => instruction(registry.removePackage, { package: id })
export const set = (
  id: string,
  more: {
    readonly maintainers?: readonly AccountId[]
    readonly policy?: ReleasePolicy
    readonly add?: readonly { readonly key: Uint8Array; readonly sourcePrefix: string }[]
    readonly revoke?: readonly Uint8Array[]
  },
): Instruction =>
  instruction(registry.setPackage, {
    package: id,
    maintainers: more.maintainers,
    policy: more.policy,
    addBuilders: more.add ?? [],
    revokeBuilders: more.revoke ?? [],
  })

/** A ledger with the domains bank and shop of `owner`, and accounts. */
export function registryWorld(): Bench {
  const bench = new Bench(undefined, ABI_2)
  bench.timeMs = START_MS
  bench.genesis(
    owner,
    core.registerDomain('bank'),
    core.registerDomain('shop'),
    ...[owner, alice, bob, outsider, accountOfName('ci'), accountOfName('mia')].map((id) => core.registerAccount(id)),
  )
  return bench
}

/** Answer of a query of the registry from the state of a bench. */
export function answerOf(bench: Bench, kind: string, input: unknown): Promise<unknown> | undefined {
  const ctx = { reader: bench.state, height: 2, denyList: bench.abi.policies.denyList, codec: bench.abi.codec('cw') }
  return bench.abi.queries.get(kind)?.run(ctx as never, input)
}

/** Answer of a route of the registry by its handler. `onQuery`: called before each query of the ledger. */
export function responseOf(
  bench: Bench,
  route: { readonly id: string },
  query: object,
  onQuery: (kind: string) => void = () => {},
): Promise<object> {
  const services = {
    query: ({ kind }: QueryDef<unknown, unknown>, input: unknown) => {
      onQuery(kind)
      return answerOf(bench, kind, input)
    },
    chainTimeMs: () => bench.timeMs,
  } as unknown as NodeServices
  const handler = registryHandlers.get(route.id) as unknown as (input: object) => Promise<object>
  return handler({ services, query })
}
