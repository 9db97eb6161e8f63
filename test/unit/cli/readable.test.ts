/** Instructions and answers as people read them: names, digits, arguments and texts in place of ids, Base64 and nulls. */
import { describe, expect, test } from 'vitest'
import { viewText } from '../../../src/cli/command/view-text.js'
import { Directory, directoryOf } from '../../../src/cli/gateway/directory.js'
import { bytesText, Readable } from '../../../src/cli/text/readable.js'
import { instructionReader } from '../../../src/cli/transaction/instructions.js'
import type { CausewayClient } from '../../../src/client/index.js'
import type { Json } from '../../../src/codec/index.js'
import { clientCodec } from '../../../src/features/composed.js'
import { signalPage } from '../../../src/features/conference/schema/views.js'
import { inputBytes } from '../../../src/features/contracts/schema/value-types.js'
import { LedgerError } from '../../../src/model/errors.js'
import { formatAddress, keylessAccount } from '../../../src/model/index.js'
import { accountOf, alice, bob } from '../gateway/support.js'

const ALICE = formatAddress(accountOf(alice))
const BOB = formatAddress(accountOf(bob))
const TOKEN = formatAddress(keylessAccount('contract', Buffer.alloc(32, 5)))
const GATEWAY = 'http://127.0.0.1:8080'
const TRANSFER = [
  { name: 'to', type: 'account' },
  { name: 'amount', type: 'numeric' },
]
const CALL: Json = {
  ContractCall: {
    address: TOKEN,
    entrypoint: 'transfer',
    input: inputBytes(TRANSFER, { to: BOB, amount: '2.5' }, 'cw').toString('base64'),
    gas_limit: 300_000,
    attach: [{ definition: 'eur#bank', amount: '1250' }],
  },
}
const SIGNAL: Json = {
  PostConferenceSignal: {
    call: 'bank:standup',
    kind: 'chat',
    body: Buffer.from('hello, bob').toString('base64'),
    commitment: null,
    proof: null,
  },
}
const short = (id: string): string => `${id.slice(0, 8)}…${id.slice(-6)}`

/** A gateway that knows two accounts, an asset of two digits and a contract. */
function client(answers: Readonly<Record<string, Json>> = {}): CausewayClient {
  const known: Readonly<Record<string, Json>> = {
    [`/v1/accounts/${ALICE}`]: { label: 'alice', domain: 'bank' },
    [`/v1/accounts/${BOB}`]: { label: 'bob', domain: 'bank' },
    '/v1/assets/definitions/eur%23bank': { id: 'eur#bank', scale: 2 },
    [`/v1/contracts/instances/${TOKEN}`]: {
      address: TOKEN,
      alias: 'token@bank',
      manifest: {
        entrypoints: [
          { name: 'transfer', kind: 'Public', params: TRANSFER, result: null, permission: null, payable: false },
        ],
        events: [],
      },
    },
    ...answers,
  }
  const json = async (_method: string, path: string): Promise<Json> => {
    const answer = known[path]
    if (answer === undefined) throw new LedgerError('not_found', path)
    return answer
  }
  const stub = { json, codec: async () => clientCodec('cw'), chain: async () => ({ addressPrefix: 'cw' }) }
  return stub as unknown as CausewayClient
}

const linesOf = async (jsonForm: Json): Promise<string[]> =>
  (await instructionReader(client(), GATEWAY, [jsonForm])).lines(jsonForm)

describe('an instruction', () => {
  test('shows amounts with the digits of the asset, and the names of the accounts', async () => {
    const jsonForm = { Transfer: { asset: { definition: 'eur#bank', account: ALICE }, to: BOB, amount: '1250' } }
    expect(await linesOf(jsonForm)).toEqual([
      `Transfer 1250.00 eur#bank from alice@bank (${short(ALICE)}) to bob@bank (${short(BOB)})`,
    ])
  })

  test('shows a contract call with its named arguments, attached assets and gas limit', async () => {
    expect(await linesOf(CALL)).toEqual([
      `ContractCall transfer(to: bob@bank (${short(BOB)}), amount: 2.5) of token@bank (${short(TOKEN)}), with 1250.00 eur#bank, at most 300000 gas`,
    ])
  })

  test('shows the text of a signal, without Base64 and nulls', async () => {
    expect(await linesOf(SIGNAL)).toEqual(['PostConferenceSignal call bank:standup, kind chat, body "hello, bob"'])
  })

  test('is followed by a list of the instructions that it contains', async () => {
    const [first, ...rest] = await linesOf({ ProposeMultisig: { account: ALICE, instructions: [SIGNAL, CALL] } })
    expect(first).toBe(`ProposeMultisig account alice@bank (${short(ALICE)})`)
    expect(rest).toEqual([
      '  instructions:',
      '    PostConferenceSignal call bank:standup, kind chat, body "hello, bob"',
      expect.stringContaining('    ContractCall transfer(to: bob@bank'),
    ])
  })

  test('omits a name that does not match its address', async () => {
    const jsonForm = { Transfer: { asset: { definition: 'eur#bank', account: ALICE }, to: BOB, amount: '1' } }
    const reader = await instructionReader(client(), GATEWAY, [jsonForm], async (id) => id !== BOB)
    expect(reader.lines(jsonForm)).toEqual([`Transfer 1.00 eur#bank from alice@bank (${short(ALICE)}) to ${BOB}`])
  })
})

describe('bytes', () => {
  test('are shown as text, or by size and digest if binary', () => {
    expect(bytesText(Buffer.from('hello').toString('base64'))).toBe('"hello"')
    expect(bytesText('')).toBe('empty')
    expect(bytesText(Buffer.of(0, 255, 1).toString('base64'))).toMatch(/^3 bytes \(SHA-256 [0-9a-f]{16}…\)$/)
    expect(bytesText(Buffer.from('a\u0007b').toString('base64'))).toMatch(/^3 bytes/)
  })

  test('are located in a response by its schema', () => {
    const signal = { body: Buffer.from('hello').toString('base64'), kind: 'aGVsbG8=' }
    expect(new Readable(signalPage).of({ items: [signal] })).toEqual({ items: [{ body: '"hello"', kind: 'aGVsbG8=' }] })
  })
})

describe('a public key', () => {
  test('is shown with the name of its validator, also in a list', () => {
    const key = `ea0130${'B8'.repeat(48)}`
    const names = new Directory(
      new Map([
        [key, 'val-1'],
        [short(key), 'val-1'],
      ]),
    )
    expect(viewText({ committee: [key], proposer: key }, names)).toBe(
      `committee  val-1 (${short(key)})\nproposer   val-1 (${short(key)})`,
    )
  })
})

describe('names', () => {
  test('are shown before ids, in full if space allows, and only if the gateway returns them', async () => {
    const other = formatAddress(keylessAccount('contract', Buffer.alloc(32, 6)))
    const names = await directoryOf(client(), GATEWAY, [ALICE, other])
    expect(names.named(`${ALICE} and ${other}`)).toBe(`alice@bank (${ALICE}) and ${other}`)
    expect(names.named(ALICE, 'short')).toBe(`alice@bank (${short(ALICE)})`)
  })

  test('are ignored for an asset with too many fraction digits', async () => {
    const faulty = client({ '/v1/assets/definitions/eur%23bank': { id: 'eur#bank', scale: 1e9 } })
    expect((await directoryOf(faulty, GATEWAY, ['eur#bank'])).digits.size).toBe(0)
  })
})
