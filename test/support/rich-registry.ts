/** Owns random requests about packages on a rich chain with a few packages of a domain, most of which succeed. */
import { registryPackages, releaseOf, versionsOf } from '../../src/features/registry/ledger/tables.js'
import { packageText, releaseDigest } from '../../src/features/registry/schema/records.js'
import type { AccountId } from '../../src/model/index.js'
import type { Random } from '../../src/simulation/prng.js'
import type { Overlay } from '../../src/state/index.js'
import { keysIn } from './nodes.js'
import * as kit from './registry.js'
import type { Asked } from './rich.js'

/** Chain state for the requests. */
export interface RegistryWorld {
  readonly random: Random
  readonly state: Overlay
  readonly admin: AccountId
  readonly people: readonly AccountId[]
  readonly domain: string
}

const NAMES = ['kit', 'k-it', 'tool', 'lib']
const BUILDERS = ['ci-0', 'ci-1', 'ci-2']

/** Generators by instruction kind. */
export function registryMakers({ random, state, admin, people, domain }: RegistryWorld) {
  const { pick } = random
  const some = () => {
    const found = keysIn(state, registryPackages)
    if (found.length === 0) return undefined
    const key = pick(found)
    const row = state.get(registryPackages, key)
    const by = random.chance(0.8) && row !== undefined ? pick(row.maintainers) : pick(people)
    return row && { id: packageText(key), row, by }
  }
  const release = () => {
    const found = some()
    const versions = found === undefined ? [] : versionsOf(state, found.id, found.row)
    if (found === undefined || versions.length === 0) return undefined
    const { version } = pick(versions)
    const row = releaseOf(state, found.id, version)
    return row && { ...found, version, release: row }
  }
  const version = (): string => `${random.below(2)}.${random.below(4)}.${random.below(3)}`
  return {
    createPackage: (): Asked => {
      const policy = random.chance(0.7) ? 'none' : 'signed'
      return [admin, kit.create(`${domain}/${pick(NAMES)}`, policy, random.chance(0.5) ? [] : [pick(people)])]
    },
    setPackage: (): Asked | undefined => {
      const found = some()
      const add = random.chance(0.5) ? [{ key: kit.keyOf(pick(BUILDERS)), sourcePrefix: 'git+' }] : []
      const revoke = random.chance(0.3) ? [kit.keyOf(pick(BUILDERS))] : []
      return found && [found.by, kit.set(found.id, { add, revoke, maintainers: [pick(people), pick(people)] })]
    },
    publishRelease: (): Asked | undefined => {
      const found = some()
      if (found === undefined) return undefined
      const next = version()
      const attestation = random.chance(0.5) ? kit.attestationOf(pick(BUILDERS), found.id, next) : undefined
      return [found.by, kit.publish(found.id, next, attestation && { attestation })]
    },
    yankRelease: (): Asked | undefined => {
      const found = release()
      return found && [found.by, kit.yank(found.id, found.version, found.release.revision, random.chance(0.6))]
    },
    setTag: (): Asked | undefined => {
      const found = release()
      if (found === undefined) return undefined
      const tag = pick(['latest', 'beta'])
      const revision = found.row.tags.find((one) => one.tag === tag)?.revision ?? 0
      return [found.by, kit.tag(found.id, tag, random.chance(0.8) ? found.version : undefined, revision)]
    },
    attestRelease: (): Asked | undefined => {
      const found = release()
      if (found === undefined) return undefined
      return [found.by, kit.attest(found.id, found.version, kit.attestationOf(pick(BUILDERS), found.id, found.version))]
    },
    assertRelease: (): Asked | undefined => {
      const found = release()
      if (found === undefined) return undefined
      const digest = releaseDigest(found.id, found.version, found.release.manifest)
      return [pick(people), kit.assertion(found.id, found.version, digest)]
    },
    removePackage: (): Asked | undefined => {
      const found = some()
      return found && [random.chance(0.5) ? admin : found.by, kit.remove(found.id)]
    },
  }
}
