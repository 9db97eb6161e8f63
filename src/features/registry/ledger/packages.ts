/** Owns packages: creation, maintainers, builders, policy, tags, removal. */
import { sameBytes } from '../../../base/bytes.js'
import { accounts } from '../../../executor/accounts.js'
import { unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { countMember } from '../../../ledger/members.js'
import { onDomain } from '../../../ledger/permission-kinds.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { domains } from '../../../ledger/tables.js'
import type { AccountId } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions, SetPackage } from '../schema/instructions.js'
import { BUILDERS_MAX, PACKAGES_MAX, POLICY_STRENGTH, splitPackage, TAGS_MAX } from '../schema/records.js'
import {
  type BuilderRow,
  type PackageRow,
  packageOf,
  registryDomains,
  registryPackages,
  registrySkeletons,
  releaseOf,
  type TagRow,
} from './tables.js'

export const CAN_PUBLISH_PACKAGE = onDomain('CanPublishPackage')

export const absentPackage = (id: string): Rejection => reject('absent', `package ${id} does not exist`)

/** Rejection unless the authority owns the domain of a package or holds CanPublishPackage for it. */
function requirePublisher(ctx: ExecContext, what: string, id: string): Rejection | undefined {
  const { domain } = splitPackage(id)
  return requirePermission(ctx, what, ctx.get(domains, domain)?.owner, [CAN_PUBLISH_PACKAGE, domain])
}

/** Rejection unless the authority owns the domain of a package; a permission does not suffice. */
const requireDomainOwner = (ctx: ExecContext, what: string, id: string): Rejection | undefined =>
  ctx.env.genesis || ctx.get(domains, splitPackage(id).domain)?.owner === ctx.authority
    ? undefined
    : reject('not_permitted', `${what} requires the owner of the domain`)

/** Rejection unless the authority maintains a package; allowed in genesis. */
export const requireMaintainer = (
  ctx: ExecContext,
  what: string,
  { maintainers }: PackageRow,
): Rejection | undefined =>
  ctx.env.genesis || maintainers.includes(ctx.authority)
    ? undefined
    : reject('not_permitted', `${what} requires a maintainer of the package`)

/** Name without the hyphens, in which two packages of a domain must differ. */
const skeletonOf = (name: string): string => name.replaceAll('-', '')

/** Maintainers without repetitions, or the rejection for an account that does not exist. */
function maintainersOf(ctx: ExecContext, given: readonly AccountId[]): readonly AccountId[] | Rejection {
  const missing = given.find((account) => !ctx.has(accounts, account))
  if (missing !== undefined) return unknownAccount(ctx, missing)
  return given.length === 0 ? [ctx.authority] : [...new Set(given)]
}

/** Builders after a change; a full list drops the builder that was revoked first. */
function buildersAfter(
  { builders }: PackageRow,
  { addBuilders, revokeBuilders }: SetPackage,
  timeMs: number,
): readonly BuilderRow[] | Rejection {
  const isRevoked = (key: Uint8Array): boolean => revokeBuilders.some((one) => sameBytes(one, key))
  const unknown = revokeBuilders.find((key) => !builders.some((one) => sameBytes(one.key, key)))
  if (unknown !== undefined)
    return reject('absent', `the package has no builder ${Buffer.from(unknown).toString('hex')}`)
  const kept: BuilderRow[] = builders.map((one) =>
    one.revokedMs === undefined && isRevoked(one.key) ? { ...one, revokedMs: timeMs } : one,
  )
  for (const { key, sourcePrefix } of addBuilders) {
    if (kept.some((one) => sameBytes(one.key, key)))
      return reject('exists', `the package already has the builder ${Buffer.from(key).toString('hex')}`)
    if (kept.length === BUILDERS_MAX) {
      const times = kept.map(({ revokedMs }) => revokedMs ?? Number.POSITIVE_INFINITY)
      const first = times.indexOf(Math.min(...times))
      if (times[first] === Number.POSITIVE_INFINITY)
        return reject('package_limit', `a package has at most ${BUILDERS_MAX} builders`)
      kept.splice(first, 1)
    }
    kept.push({ key, sourcePrefix, revokedMs: undefined })
  }
  return kept
}

/**
 * Rejection of a change because of its authority: a weaker policy requires the owner of the domain, every other change a
 * maintainer. A change of both requires an authority that is both.
 */
function changeFault(ctx: ExecContext, row: PackageRow, value: SetPackage): Rejection | undefined {
  const { package: id, policy = row.policy, maintainers, addBuilders, revokeBuilders } = value
  const isWeaker = POLICY_STRENGTH[policy] < POLICY_STRENGTH[row.policy]
  const isMore = maintainers !== undefined || addBuilders.length + revokeBuilders.length > 0
  return (
    (isWeaker ? requireDomainOwner(ctx, 'a weaker policy', id) : undefined) ??
    (isWeaker && !isMore ? undefined : requireMaintainer(ctx, 'changing a package', row))
  )
}

/** Tags after a change of one tag. */
const tagsAfter = (tags: readonly TagRow[], tag: string, set: TagRow | undefined): readonly TagRow[] => [
  ...tags.filter((one) => one.tag !== tag),
  ...(set === undefined ? [] : [set]),
]

export const execute = {
  createPackage: {
    cost: { base: 300 },
    primaryDomain: (value) => splitPackage(value.package).domain,
    execute(ctx, value) {
      const { package: id, policy } = value
      const { domain, name } = splitPackage(id)
      if (!ctx.has(domains, domain)) return reject('absent', `domain ${domain} does not exist`)
      const denied = requirePublisher(ctx, 'creating a package', id)
      if (denied) return denied
      if (ctx.has(registryPackages, splitPackage(id))) return reject('exists', `package ${id} already exists`)
      const alike = ctx.get(registrySkeletons, { domain, skeleton: skeletonOf(name) })
      if (alike !== undefined) return reject('package_confusable', `the name differs from ${alike} only in hyphens`)
      const count = ctx.get(registryDomains, domain) ?? 0
      if (count >= PACKAGES_MAX)
        return reject('package_limit', `domain ${domain} already has the maximum of ${PACKAGES_MAX} packages`)
      const maintainers = maintainersOf(ctx, value.maintainers)
      if ('code' in maintainers) return maintainers
      const row = { maintainers, builders: [], policy, tags: [], releases: 0, createdMs: ctx.env.timeMs }
      ctx.set(registryPackages, splitPackage(id), row)
      ctx.set(registrySkeletons, { domain, skeleton: skeletonOf(name) }, id)
      ctx.set(registryDomains, domain, count + 1)
      countMember(ctx, domain, 1)
      ctx.emit(events.packageCreated, { package: id, by: ctx.authority, policy })
      return undefined
    },
  },

  setPackage: {
    cost: { base: 200 },
    primaryDomain: (value) => splitPackage(value.package).domain,
    execute(ctx, value) {
      const { package: id } = value
      const row = packageOf(ctx, id)
      if (row === undefined) return absentPackage(id)
      const denied = changeFault(ctx, row, value)
      if (denied) return denied
      const policy = value.policy ?? row.policy
      const maintainers = value.maintainers === undefined ? row.maintainers : maintainersOf(ctx, value.maintainers)
      if ('code' in maintainers) return maintainers
      const builders = buildersAfter(row, value, ctx.env.timeMs)
      if ('code' in builders) return builders
      ctx.set(registryPackages, splitPackage(id), { ...row, maintainers, builders, policy })
      ctx.emit(events.packageChanged, { package: id, by: ctx.authority, policy })
      return undefined
    },
  },

  setTag: {
    cost: { base: 96 },
    primaryDomain: (value) => splitPackage(value.package).domain,
    execute(ctx, { package: id, tag, version, revision }) {
      const row = packageOf(ctx, id)
      if (row === undefined) return absentPackage(id)
      const denied = requireMaintainer(ctx, 'setting a tag', row)
      if (denied) return denied
      if (version !== undefined && releaseOf(ctx, id, version) === undefined)
        return reject('absent', `package ${id} has no version ${version}`)
      const now = row.tags.find((one) => one.tag === tag)
      if (version === undefined && now === undefined) return reject('absent', `package ${id} has no tag ${tag}`)
      if (revision !== (now?.revision ?? 0))
        return reject('revision_changed', `the revision of tag ${tag} is ${now?.revision ?? 0}, not ${revision}`)
      if (now === undefined && row.tags.length >= TAGS_MAX)
        return reject('package_limit', `a package has at most ${TAGS_MAX} tags`)
      const next = revision + 1
      const set = version === undefined ? undefined : { tag, version, revision: next }
      ctx.set(registryPackages, splitPackage(id), { ...row, tags: tagsAfter(row.tags, tag, set) })
      ctx.emit(events.releaseTagged, { package: id, by: ctx.authority, tag, version, revision: next })
      return undefined
    },
  },

  removePackage: {
    cost: { base: 200 },
    primaryDomain: (value) => splitPackage(value.package).domain,
    execute(ctx, { package: id }) {
      const row = packageOf(ctx, id)
      if (row === undefined) return absentPackage(id)
      const denied = requireDomainOwner(ctx, 'removing a package', id)
      if (denied) return denied
      if (row.releases > 0)
        return reject('not_empty', `package ${id} has ${row.releases} releases and cannot be removed`)
      const { domain, name } = splitPackage(id)
      const left = (ctx.get(registryDomains, domain) ?? 0) - 1
      if (left > 0) ctx.set(registryDomains, domain, left)
      else ctx.delete(registryDomains, domain)
      ctx.delete(registrySkeletons, { domain, skeleton: skeletonOf(name) })
      ctx.delete(registryPackages, splitPackage(id))
      countMember(ctx, domain, -1)
      ctx.emit(events.packageRemoved, { package: id, by: ctx.authority })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
