/** Owns verifying keys on the ledger: registration, updates and queries. */

import { pairOfCursor } from '../../api/cursors.js'
import type { Page } from '../../api/paging.js'
import { type ExecContext, type Rejection, reject } from '../../executor/contract.js'
import { defineLedger, type Executions } from '../../executor/feature.js'
import type { QueryRun } from '../../executor/reads.js'
import { pathNameFault } from '../../ledger/path-names.js'
import { newGlobal } from '../../ledger/permission-kinds.js'
import { requirePermission } from '../../ledger/permissions.js'
import { ANSWER_BYTES_MAX, fittingAnswer, limitOf } from '../../ledger/table-page.js'
import { verifyingKeys } from '../../ledger/verifying-keys.js'
import { isActiveAt, keyCommitment, type VerifyingKeyId, type VerifyingKeyRow } from '../../model/index.js'
import { events, type instructions, type VerifyingKeysQuery, type VerifyingKeyView, zkSchema } from './schema.js'

const CAN_MANAGE_VERIFYING_KEYS = newGlobal('CanManageVerifyingKeys')

/** Backends whose proofs an instruction can verify. */
const BACKENDS: readonly string[] = ['sigma-ristretto255']

const cost = {
  base: 2_000,
  per: [{ teu: 2, item: 'byte of the blob', count: ({ blob }: { readonly blob: Uint8Array }) => blob.length }],
}

const denied = (ctx: ExecContext): Rejection | undefined =>
  requirePermission(ctx, 'managing verifying keys', undefined, [CAN_MANAGE_VERIFYING_KEYS, undefined])

type Content = Omit<VerifyingKeyRow, 'version' | 'commitment'>

/** Write a key and emit its event. */
function write(
  ctx: ExecContext,
  id: VerifyingKeyId,
  version: number,
  { circuitId, blob, status, activationHeight, withdrawHeight }: Content,
): void {
  const commitment = keyCommitment(blob)
  ctx.set(verifyingKeys, id, { version, circuitId, blob, commitment, status, activationHeight, withdrawHeight })
  const written = version === 1 ? events.verifyingKeyRegistered : events.verifyingKeyUpdated
  ctx.emit(written, { ...id, version, commitment, status })
}

const execute = {
  registerVerifyingKey: {
    cost,
    execute(ctx, { backend, name, ...content }) {
      const refused = denied(ctx) ?? pathNameFault(ctx, name)
      if (refused) return refused
      if (!BACKENDS.includes(backend))
        return reject('unsupported_backend', `this release does not support proofs of ${backend}`)
      const id = { backend, name }
      if (ctx.has(verifyingKeys, id)) return reject('exists', `verifying key ${name} of ${backend} already exists`)
      write(ctx, id, 1, content)
      return undefined
    },
  },

  updateVerifyingKey: {
    cost,
    execute(ctx, { backend, name, version, ...content }) {
      const refused = denied(ctx)
      if (refused) return refused
      const id = { backend, name }
      const key = ctx.get(verifyingKeys, id)
      if (key === undefined) return reject('vk_not_registered', `verifying key ${name} of ${backend} is not registered`)
      if (version !== key.version + 1)
        return reject('bad_version', `the next version must be ${key.version + 1}, not ${version}`)
      write(ctx, id, version, content)
      return undefined
    },
  },
} satisfies Executions<typeof instructions>

const viewOf = (id: VerifyingKeyId, key: VerifyingKeyRow, height: number): VerifyingKeyView => ({
  id,
  key,
  verifies: isActiveAt(key, height + 1),
})

const verifyingKeyQuery: QueryRun<VerifyingKeyId, VerifyingKeyView> = async ({ reader, height }, id) => {
  const key = reader.get(verifyingKeys, id)
  return key === undefined ? undefined : viewOf(id, key, height)
}

/** Position in the list; backend and name contain no blanks. */
const placeOf = ({ backend, name }: VerifyingKeyId): string => `${backend} ${name}`
function idOf(place: string): VerifyingKeyId | undefined {
  const [backend, name] = pairOfCursor(place) ?? []
  return backend && name ? { backend, name } : undefined
}

const verifyingKeysQuery: QueryRun<VerifyingKeysQuery, Page<VerifyingKeyView>> = async (ctx, query) => {
  const limit = limitOf(query.limit)
  const after = query.after === undefined ? undefined : idOf(query.after)
  // Few keys exist, so a filtered page reads one page of the table and continues at its cursor.
  const rows = await ctx.rows(verifyingKeys, { after, limit: limit + 1, maxBytes: ANSWER_BYTES_MAX })
  const shown = fittingAnswer(rows.slice(0, limit), ({ bytes }) => bytes)
  const last = shown.at(-1)
  return {
    items: shown
      .filter(({ key }) => query.backend === undefined || key.backend === query.backend)
      .filter(({ value }) => query.status === undefined || value.status === query.status)
      .map(({ key, value }) => viewOf(key, value, ctx.height)),
    nextCursor: rows.length > shown.length && last !== undefined ? placeOf(last.key) : undefined,
    height: ctx.height,
  }
}

export const zkLedger = defineLedger(zkSchema, {
  tables: [verifyingKeys],
  execute,
  queries: { verifyingKey: verifyingKeyQuery, verifyingKeys: verifyingKeysQuery },
  permissions: [CAN_MANAGE_VERIFYING_KEYS],
})
