/** Output of commands for records invented by a gateway or a file: none of them is reported as a bug of the program. */
import { expect, it } from 'vitest'
import { manifestJson } from '../../../src/cli/conference/forms.js'
import { declarations } from '../../../src/cli/contract/project.js'
import { callRpc } from '../../../src/cli/gateway/rpc.js'
import { faultLines, knownLine } from '../../../src/cli/terminal/failure.js'
import { isoTime } from '../../../src/cli/text/figures.js'
import type { CausewayClient } from '../../../src/client/index.js'
import { earlyExpiry } from '../../../src/client/wait.js'
import type { Json } from '../../../src/codec/index.js'
import type { ErrorRecord } from '../../../src/model/errors.js'
import { temporary } from '../storage/support.js'

const withDetails = (details: Record<string, unknown>): ErrorRecord => ({
  code: 'validation_failed',
  message: 'm',
  details,
})

it.each<[string, unknown, string[]]>([
  ['null', [null], []],
  ['other values', [1, 'a', true], []],
  ['an object without a text', [{ path: { toString: 1 }, message: { toString: null } }], ['']],
  ['an endless value', [{ message: 'z', value: JSON.parse('['.repeat(2_000) + ']'.repeat(2_000)) }], ['z']],
  ['a fault of the declared shape', [{ line: 3, path: 'a.b', message: 'z', value: 5 }], ['line 3: a.b: z, got "5"']],
  ['a code with what is expected', [{ code: 'c', expected: 'e' }], ['c: expected e']],
  ['a value that is not a list', { length: 1 }, []],
])('faults with %s are shown with their text parts only', (_what, faults, lines) => {
  expect(faultLines(withDetails({ faults }))).toEqual(lines)
})

it.each<[string, unknown, string | undefined]>([
  ['null and an object without a text', [null, { toString: null }], undefined],
  ['a name among them', [null, 'a', { toString: 1 }], 'Known values: a'],
  ['names that the message has', ['m'], undefined],
  ['nothing', [], undefined],
  ['a value that is not a list', 'a', undefined],
])('known names with %s are reduced to their text entries', (_what, known, line) => {
  expect(knownLine(withDetails({ known }))).toBe(line)
})

it.each<[string, Json]>([
  ['null', null],
  ['a text', 'x'],
  ['a text for its data', { message: 'm', data: 'x' }],
  ['null for its data', { message: 'm', data: null }],
  ['a text for its details', { message: 'm', data: { code: 'forbidden', details: 'x' } }],
])('a JSON-RPC error that is %s fails the call', async (_what, error) => {
  const client = { json: async () => ({ jsonrpc: '2.0', id: 1, error }) } as unknown as CausewayClient
  await expect(callRpc(client, 'status', {})).rejects.toMatchObject({ name: 'LedgerError', code: expect.any(String) })
})

it.each<[Json, Json]>([
  [null, null],
  ['x', 'x'],
  [{ hops: null }, { hops: null }],
  [{ hops: [null, 5, {}] }, { hops: [null, 5, {}] }],
  [{ hops: [{ relay_id: 'r', weight: 1 }] }, { hops: [{ relay_id: 'R', weight: 1 }] }],
])('the manifest %j is passed to the ledger, which rejects it', async (manifest, jsonForm) => {
  const { writeFile } = await import('node:fs/promises')
  const path = `${await temporary()}/manifest.json`
  await writeFile(path, JSON.stringify(manifest))
  expect(await manifestJson(path, async (text) => text.toUpperCase())).toEqual(jsonForm)
})

it.each([
  [0, '1970-01-01T00:00:00.000Z'],
  [8.64e15, '+275760-09-13T00:00:00.000Z'],
  [9_007_199_254_740_991, '9007199254740991'],
  [-9e15, '-9000000000000000'],
  ['x', 'x'],
])('the time %s is shown as %s', (ms, text) => {
  expect(isoTime(ms)).toBe(text)
})

it('an expired status for a transaction that is valid beyond the date range is an error', () => {
  const error = earlyExpiry('hash', { state: 'expired' }, Number.MAX_SAFE_INTEGER)
  expect(error).toMatchObject({ code: 'not_a_gateway', message: expect.stringContaining('+275760-09-13') })
})

it.each([
  ['an unterminated role', (length: number) => `/** @entrypoint role:${'!'.repeat(length)}`],
  ['many words', (length: number) => `/** @entrypoint${' payable'.repeat(length / 8)}`],
  ['many roles', (length: number) => `/** @entrypoint${' role:!'.repeat(length / 7)}`],
  ['many heads', (length: number) => '/** @view */ export function a('.repeat(length / 31)],
  ['many comments', (length: number) => '/** @view '.repeat(length / 10)],
])('a source with %s is parsed in linear time', (_what, sourceOf) => {
  expect(declarations(sourceOf(512 * 1024))).toEqual([])
})

it('declarations are parsed from their comment', () => {
  const source = [
    '/** @entrypoint payable role:a*b, adds */',
    'export function add(amount: u64, to: Account): void {}',
    '/** @init owner*/ export function begin(): u8 {}',
  ].join('\n')
  expect(declarations(source)).toMatchObject([
    {
      kind: 'Public',
      name: 'add',
      payable: true,
      permission: 'role:a*b,',
      params: [{ name: 'amount' }, { name: 'to' }],
    },
    { kind: 'Init', name: 'begin', payable: false, permission: 'owner', params: [] },
  ])
})
