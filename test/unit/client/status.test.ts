/** Handling of nodes that do not know a transaction by the client. */
import { expect, test } from 'vitest'
import type { GatewayCalls } from '../../../src/client/calls.js'
import { Transactions } from '../../../src/client/transactions.js'

/** A gateway that knows no transaction, and why. */
const ignorant = (details?: object): Transactions => {
  const error = { code: 'not_found', message: 'no transaction with this hash', details }
  const send = async () => ({ status: 404, headers: {}, body: Buffer.from(JSON.stringify(error)) })
  return new Transactions({ meet: async () => undefined, transport: { send } } as unknown as GatewayCalls, undefined)
}
const HASH = 'ab'.repeat(32)

test('a transaction that is missing from a node with all blocks is reported as unknown', async () => {
  expect(await ignorant().status(HASH)).toEqual({ state: 'unknown' })
})

test('a node with pruned blocks reports its first height, since the transaction may be below it', async () => {
  expect(await ignorant({ first_height: 41 }).status(HASH)).toEqual({ state: 'unknown', firstHeight: 41 })
})
