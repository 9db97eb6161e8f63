/** Owns the instructions of the holder of a name: transfer, account, records, manager, primary name. */

import { accounts } from '../../../executor/accounts.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { perContent } from '../../../executor/costs.js'
import { definitions } from '../../../ledger/tables.js'
import { type AccountId, assetDefinitionFault, type InstructionOf } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions, SetNameRecords } from '../schema/instructions.js'
import { ASSET_RECORD, RECORDS_MAX, RECORDS_MAX_BYTES, recordFault } from '../schema/records.js'
import { contentOf, domainOfText, type FoundName, holderFault, liveName, movableFault } from './found.js'
import { policyOf } from './policies.js'
import { accountsFault, confusableFault, leaseLimitFault } from './registration.js'
import { addSkeleton, recountName, writeName } from './rows.js'
import { primaries } from './tables.js'

/** Reason why one of several names may not be transferred now, or undefined. */
function transferFault(
  ctx: ExecContext,
  found: FoundName,
  to: AccountId,
  texts: readonly string[],
): Rejection | undefined {
  const { name, row } = found
  const { domain } = name
  if (row?.kind !== 'leased' || to === row.owner) return undefined
  // A name that is transferred alone would conflict with a similar one that stays.
  const stays = (owner: AccountId, label: string): boolean =>
    owner === row.owner && !texts.includes(`${label}@${domain}`)
  return confusableFault(ctx, ctx.env.timeMs, name, stays) ?? leaseLimitFault(ctx, name, to, policyOf(ctx, domain))
}

function transferOne(ctx: ExecContext, text: string, to: AccountId, texts: readonly string[]): Rejection | undefined {
  const found = liveName(ctx, text)
  if ('code' in found) return found
  const { name, row } = found
  const fault =
    holderFault(ctx, found, 'transferring the name') ??
    movableFault(found) ??
    accountsFault(ctx, to) ??
    transferFault(ctx, found, to, texts)
  if (fault) return fault
  if (row === undefined) throw new Error(`name ${text} is not assigned and has no row`)
  recountName(ctx, name, row, to)
  const sinceMs = ctx.env.timeMs
  writeName(ctx, name, { ...row, owner: to, manager: undefined, records: new Map(), sinceMs }, to)
  return undefined
}

export const transferName: Execution<InstructionOf<typeof instructions.transferName>> = {
  cost: { base: 0, per: [{ teu: 200, item: 'name, at least one', count: ({ names }) => Math.max(1, names.length) }] },
  primaryDomain: ({ names }) => names.map(domainOfText).filter((domain) => domain !== undefined),
  execute(ctx, { names: texts, to }) {
    if (texts.length === 0) return reject('bad_name', 'a transfer must have at least one name')
    for (const text of texts) {
      const fault = transferOne(ctx, text, to, texts)
      if (fault) return fault
    }
    ctx.emit(events.nameTransferred, { names: texts, from: ctx.authority, to })
    return undefined
  },
}

export const setNameAccount: Execution<InstructionOf<typeof instructions.setNameAccount>> = {
  cost: { base: 150 },
  primaryDomain: ({ name }) => domainOfText(name),
  execute(ctx, { name: text, account }) {
    const found = liveName(ctx, text)
    if ('code' in found) return found
    const fault =
      holderFault(ctx, found, 'setting the account of the name') ?? movableFault(found) ?? accountsFault(ctx, account)
    if (fault) return fault
    const content = contentOf(ctx, found)
    writeName(ctx, found.name, content, account)
    ctx.emit(events.nameAccountSet, { name: text, owner: content.owner, account })
    return undefined
  },
}

/** Records after changes, or the reason why the changes are refused. */
function changedRecords(
  ctx: ExecContext,
  before: ReadonlyMap<string, string>,
  set: SetNameRecords['set'],
): ReadonlyMap<string, string> | Rejection {
  const after = new Map(before)
  const seen = new Set<string>()
  for (const { key, value } of set) {
    const fault = seen.has(key) ? `record ${key} is set twice` : recordFault(key, value)
    if (fault !== undefined) return reject('bad_record', fault)
    seen.add(key)
    if (value === undefined) after.delete(key)
    else if (key === ASSET_RECORD && !(assetDefinitionFault(value) === undefined && ctx.has(definitions, value)))
      return reject('bad_record', `asset definition ${value} does not exist`)
    else after.set(key, value)
  }
  return after
}

const bytesOf = (text: string | undefined): number => Buffer.byteLength(text ?? '')
const recordBytes = (records: Iterable<readonly [string, string | undefined]>): number =>
  [...records].reduce((sum, [key, value]) => sum + bytesOf(key) + bytesOf(value), 0)

export const setNameRecords: Execution<SetNameRecords> = {
  cost: {
    base: 200,
    per: [perContent('records', ({ set }) => recordBytes(set.map(({ key, value }) => [key, value])))],
  },
  primaryDomain: ({ name }) => domainOfText(name),
  execute(ctx, { name: text, set }) {
    const found = liveName(ctx, text)
    if ('code' in found) return found
    const denied = holderFault(ctx, found, 'setting records', true)
    if (denied) return denied
    const content = contentOf(ctx, found)
    const records = changedRecords(ctx, content.records, set)
    if ('code' in records) return records
    if (records.size > RECORDS_MAX || recordBytes(records) > RECORDS_MAX_BYTES)
      return reject('record_limit', `a name has at most ${RECORDS_MAX} records of ${RECORDS_MAX_BYTES} bytes together`)
    writeName(ctx, found.name, { ...content, records }, found.account)
    if (found.row === undefined) addSkeleton(ctx, found.name)
    ctx.emit(events.nameRecordsSet, { name: text })
    return undefined
  },
}

export const setNameManager: Execution<InstructionOf<typeof instructions.setNameManager>> = {
  cost: { base: 96 },
  primaryDomain: ({ name }) => domainOfText(name),
  execute(ctx, { name: text, manager }) {
    const found = liveName(ctx, text)
    if ('code' in found) return found
    const fault =
      holderFault(ctx, found, 'setting the manager') ??
      (manager === undefined ? undefined : accountsFault(ctx, manager))
    if (fault) return fault
    writeName(ctx, found.name, { ...contentOf(ctx, found), manager }, found.account)
    if (found.row === undefined) addSkeleton(ctx, found.name)
    ctx.emit(events.nameManagerSet, { name: text, manager })
    return undefined
  },
}

export const setPrimaryName: Execution<InstructionOf<typeof instructions.setPrimaryName>> = {
  cost: { base: 96 },
  execute(ctx, { name: text }) {
    if (text === undefined) ctx.delete(primaries, ctx.authority)
    else {
      const found = liveName(ctx, text)
      if ('code' in found) return found
      if (found.account !== ctx.authority)
        return reject('not_permitted', `name ${text} does not resolve to the account`)
      const accountIncarnation = ctx.get(accounts, ctx.authority)?.incarnation
      ctx.set(primaries, ctx.authority, { name: found.name, accountIncarnation })
    }
    ctx.emit(events.primaryNameSet, { account: ctx.authority, name: text })
    return undefined
  },
}
