import { expect, test } from 'vitest'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { instructions as multisig } from '../../../src/features/multisig/schema.js'
import { instruction, NO_METADATA, readInstruction } from '../../../src/model/index.js'
import { CODEC } from '../gateway/support.js'

test('an instruction is read from the JSON form of its record', () => {
  expect(readInstruction(domains.registerDomain, { id: 'bank', dataspace: null, metadata: {} }, CODEC)).toEqual(
    instruction(domains.registerDomain, { id: 'bank', dataspace: undefined, metadata: NO_METADATA }),
  )
})

test('an error in a decoded field contains its position in the transaction', () => {
  expect(() => readInstruction(domains.registerDomain, { id: 'a bank', dataspace: null, metadata: {} }, CODEC)).toThrow(
    'instructions[0].RegisterDomain.id: ',
  )
})

test('a JSON form with a missing field or an internal field name does not compile', () => {
  // @ts-expect-error: `metadata` is missing
  expect(() => readInstruction(domains.registerDomain, { id: 'bank', dataspace: null }, CODEC)).toThrow('metadata')
  // @ts-expect-error: `ttlMs` is `ttl_ms` in JSON
  expect(() => readInstruction(multisig.propose, { account: '', instructions: [], ttlMs: 1 }, CODEC)).toThrow('Propose')
})
