/**
 * Owns the rows of names: their versions, counts and skeletons. Every change of a name or of its account passes through
 * here, so that the newest row proves all earlier ones.
 */
import { countUse } from '../../../executor/accounts.js'
import type { ExecContext } from '../../../executor/contract.js'
import { countMember } from '../../../ledger/members.js'
import { aliases } from '../../../ledger/tables.js'
import { type AccountId, type NameId, nameText, parentOf, sameIncarnation, skeletonOf } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { type NameRow, nameRow, SKELETON_LABELS_MAX, versionHash } from '../schema/records.js'
import { counts, names, skeletons } from './tables.js'

/** A name without the fields of its versions. */
export type NameContent = Omit<NameRow, 'version' | 'changedHeight' | 'previous'>

/** Content of a new name; the caller sets the fields that differ. */
export const newContent = (
  ctx: ExecContext,
  kind: NameRow['kind'],
  owner: AccountId,
  more: Partial<NameContent> = {},
): NameContent => ({
  kind,
  owner,
  manager: undefined,
  incarnation: ctx.incarnation(),
  sinceMs: ctx.env.timeMs,
  expiresMs: undefined,
  graceUntilMs: undefined,
  quarantineUntilMs: undefined,
  parent: undefined,
  records: new Map(),
  subnames: 0,
  ...more,
})

/** Fields of the next version. A block creates one version of a name, however often it changes it. */
function nextVersion(ctx: ExecContext, name: NameId): Pick<NameRow, 'version' | 'changedHeight' | 'previous'> {
  const { height } = ctx.env
  const old = ctx.get(names, name)
  if (old === undefined) return { version: 1, changedHeight: height, previous: undefined }
  const { version, changedHeight, previous } = old
  if (changedHeight === height) return { version, changedHeight, previous }
  const account = ctx.get(aliases, name)
  if (account === undefined) throw new Error(`name ${nameText(name)} has a row but no account`)
  return { version: version + 1, changedHeight: height, previous: versionHash(nameRow.encode(old), account) }
}

/** Write a name and its account. */
export function writeName(ctx: ExecContext, name: NameId, content: NameContent, account: AccountId): void {
  const { version, changedHeight, previous } = nextVersion(ctx, name)
  ctx.set(names, name, { ...content, version, changedHeight, previous })
  if (ctx.get(aliases, name) !== account) ctx.set(aliases, name, account)
}

/** Count leased names of an account in a domain. */
function countLease(ctx: ExecContext, domain: string, account: AccountId, by: 1 | -1): void {
  const key = { domain, account }
  const next = (ctx.get(counts, key) ?? 0) + by
  if (next < 0) throw new Error(`the count of leased names in domain ${domain} is negative`)
  if (next === 0) ctx.delete(counts, key)
  else ctx.set(counts, key, next)
}

/** Number of leased names of an account in a domain. */
export const leasesOf = (ctx: ExecContext, domain: string, account: AccountId): number =>
  ctx.get(counts, { domain, account }) ?? 0

/** Count a name for its owner and its domain; an assigned name is not counted, since its account is. */
export function countName(ctx: ExecContext, { domain }: NameId, kind: NameRow['kind'], owner: AccountId, by: 1 | -1) {
  if (kind === 'assigned') return
  countUse(ctx, owner, 'objects', by)
  countMember(ctx, domain, by)
  if (kind === 'leased') countLease(ctx, domain, owner, by)
}

/** Move the counts of a name to another owner. */
export function recountName(ctx: ExecContext, name: NameId, { kind, owner }: NameRow, to: AccountId): void {
  countName(ctx, name, kind, owner, -1)
  countName(ctx, name, kind, to, 1)
}

const skeletonKeyOf = ({ domain, label }: NameId) => ({ domain, skeleton: skeletonOf(label) })

/** Labels of the domain of a name with the same skeleton, including itself. */
export const lookalikes = (state: StateReader, name: NameId): readonly string[] =>
  state.get(skeletons, skeletonKeyOf(name)) ?? []

/** True if the skeleton of a name has a free slot. */
export const hasRoom = (labels: readonly string[], label: string): boolean =>
  labels.includes(label) || labels.length < SKELETON_LABELS_MAX

/**
 * Add the label of a name to its skeleton, if there is a free slot. Subnames have none: they are similar if their
 * parents are.
 */
export function addSkeleton(ctx: ExecContext, name: NameId): void {
  const labels = lookalikes(ctx, name)
  if (labels.includes(name.label) || labels.length === SKELETON_LABELS_MAX) return
  ctx.set(skeletons, skeletonKeyOf(name), [...labels, name.label])
}

/** Remove the label of a name from its skeleton. */
export function dropSkeleton(ctx: ExecContext, name: NameId): void {
  const labels = lookalikes(ctx, name)
  const rest = labels.filter((label) => label !== name.label)
  if (rest.length === labels.length) return
  if (rest.length === 0) ctx.delete(skeletons, skeletonKeyOf(name))
  else ctx.set(skeletons, skeletonKeyOf(name), rest)
}

/** Change the number of subnames of the parent; a subname of an earlier incarnation of the parent is not counted. */
function countSubname(ctx: ExecContext, name: NameId, { parent: of }: NameRow, by: 1 | -1): void {
  const parent = parentOf(name)
  const above = parent && ctx.get(names, parent)
  const account = parent && ctx.get(aliases, parent)
  if (parent === undefined || above === undefined || account === undefined || of === undefined) return
  if (!sameIncarnation(of, above.incarnation)) return
  writeName(ctx, parent, { ...above, subnames: above.subnames + by }, account)
}

/** Remove a name from the counts. Its row, alias and skeleton remain for the caller to replace. */
export function discount(ctx: ExecContext, name: NameId, row: NameRow): void {
  countName(ctx, name, row.kind, row.owner, -1)
  if (row.kind === 'sub') countSubname(ctx, name, row, -1)
}

/** Remove a name and all its counts. */
export function dropName(ctx: ExecContext, name: NameId, row: NameRow): void {
  discount(ctx, name, row)
  ctx.delete(names, name)
  ctx.delete(aliases, name)
  if (row.kind !== 'sub') dropSkeleton(ctx, name)
}
