/** Owns the queries of contracts and their state. */
import type { Page } from '../../../api/paging.js'
import { accounts } from '../../../executor/accounts.js'
import type { QueryRun } from '../../../executor/reads.js'
import { prefixOf } from '../../../ledger/query.js'
import { ANSWER_BYTES_MAX, limitOf, SCAN_MAX, scanRows, scanTable } from '../../../ledger/table-page.js'
import { formatAddress, parseAddress, parseAlias } from '../../../model/index.js'
import * as views from '../schema/views.js'
import { aliasTarget } from './deployment.js'
import { codeOf } from './modules.js'
import { artifacts, instances, lines, manifests, type StateKey, states } from './tables.js'

export const artifactRun: QueryRun<views.ArtifactQuery, views.ArtifactView> = async ({ reader }, { hash }) => {
  const [artifact, manifest] = [reader.get(artifacts, hash), reader.get(manifests, hash)]
  return artifact === undefined || manifest === undefined ? undefined : { hash, artifact, manifest }
}

export const codeRun: QueryRun<views.ArtifactQuery, views.CodeView> = async ({ reader }, { hash }) => {
  const artifact = reader.get(artifacts, hash)
  if (artifact === undefined) return undefined
  return { hash, codeHash: artifact.codeHash, code: codeOf(reader, hash, artifact) }
}

export const instanceRun: QueryRun<views.InstanceQuery, views.InstanceView> = async (
  { reader, height },
  { address },
) => {
  const instance = reader.get(instances, address)
  if (instance === undefined) return undefined
  const { storageId } = instance
  const [artifact, manifest] = [reader.get(artifacts, instance.artifact), reader.get(manifests, instance.artifact)]
  const line = reader.get(lines, storageId)
  const account = reader.get(accounts, storageId)
  // An unreferenced artifact may have been removed.
  if (artifact === undefined || manifest === undefined || line === undefined || account === undefined) return undefined
  const isActive = line.active === address && account.label !== undefined
  const alias = isActive ? `${account.label}@${account.domain}` : undefined
  return { address, instance, alias, codeHash: artifact.codeHash, manifest, keys: line.keys, bytes: line.bytes, height }
}

export const contractsRun: QueryRun<views.InstancesQuery, Page<views.InstanceItem>> = async (ctx, query) => {
  const prefix = prefixOf(ctx)
  const page = {
    limit: limitOf(query.limit),
    after: query.after === undefined ? undefined : parseAddress(query.after, prefix),
  }
  const { items, after } = await scanTable(ctx, instances, page, (address, instance) =>
    query.domain === undefined || instance.domain === query.domain ? { address, instance } : undefined,
  )
  return { items, nextCursor: after === undefined ? undefined : formatAddress(after, prefix), height: ctx.height }
}

export const aliasRun: QueryRun<views.AliasQuery, views.AliasView> = async ({ reader, height }, { alias }) => {
  const parts = parseAlias(alias)
  const target = parts === undefined ? undefined : aliasTarget(reader, parts)
  return target?.active === undefined ? undefined : { alias, address: target.active, account: target.account, height }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const NO_KEY = new Uint8Array(0)

export const stateRun: QueryRun<views.StateQuery, Page<views.StateItem>> = async (ctx, query) => {
  const storageId = ctx.reader.get(instances, query.address)?.storageId
  if (storageId === undefined) return undefined
  const { height } = ctx
  if (query.keys.length > 0) {
    const items = query.keys.flatMap((key) => {
      const value = key.length === 0 ? undefined : ctx.reader.get(states, { storageId, key })
      return value === undefined ? [] : [{ key, value }]
    })
    return { items, nextCursor: undefined, height }
  }
  const prefix = Buffer.from(query.prefix ?? NO_KEY)
  const limit = Math.min(limitOf(query.limit), views.STATE_PAGE_MAX)
  const items: views.StateItem[] = []
  let key: Uint8Array = query.after === undefined ? NO_KEY : Buffer.from(query.after, 'hex')
  let left: number = ANSWER_BYTES_MAX
  for (let seen = 0; seen < SCAN_MAX; ) {
    const after: StateKey = { storageId, key }
    const rows: readonly { key: StateKey; value: Uint8Array; bytes: number }[] = await ctx.rows(states, {
      after,
      limit: scanRows(seen, limit),
      maxBytes: left,
    })
    for (const { key: at, value, bytes } of rows) {
      if (at.storageId !== storageId) return { items, nextCursor: undefined, height }
      key = at.key
      // All bytes read count, including unwanted ones.
      left -= bytes
      if (Buffer.from(at.key).subarray(0, prefix.length).equals(prefix)) items.push({ key: at.key, value })
      if (items.length === limit || left <= 0) return { items, nextCursor: hex(key), height }
    }
    seen += rows.length
    if (rows.length === 0) return { items, nextCursor: undefined, height }
  }
  return { items, nextCursor: hex(key), height }
}
