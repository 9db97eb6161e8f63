/** A faulty request is refused with its code, over HTTP and on the command line alike, and the node continues. */
import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RECEIPT_FRAME } from '../../../src/api/index.js'
import { CausewayClient } from '../../../src/client/index.js'
import { ERRORS, type ErrorCode } from '../../../src/model/errors.js'
import type { Run } from '../../cli/run.js'
import { getJson, processesOf, type TestNet, until } from '../localnet.js'
import { message, messageFile } from '../messages.js'
import { PeerCopy } from '../peer-copy.js'
import { START_FAULTS } from '../start-faults.js'
import { type Body, framed, overlong, Payer, raw } from '../transactions.js'

let net: TestNet
let client: CausewayClient
let alice: Payer
/** Balance at the start of the suite, in cents. */
let before: readonly number[]

/** Euro of payer and payee on a peer, in cents. */
const held = (gateway = net.gateways[0]!): Promise<number[]> =>
  Promise.all(
    ['alice', 'bob'].map(async (name) => {
      const view = await getJson<{ balances: { definition: string; amount: string }[] }>(
        gateway,
        `/v1/accounts/${name}@bank`,
      )
      return Math.round(Number(view.balances.find((one) => one.definition === 'eur#bank')?.amount) * 100)
    }),
  )

interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly exit?: number
  readonly details?: Readonly<Record<string, unknown>>
}

/** The error of a command: its exit code is that of the catalogue. */
function errorOf(run: Run, code: ErrorCode, exit: number = ERRORS[code].exit): ErrorBody {
  expect(run.code, run.stdout + run.stderr).toBe(exit)
  const { error } = run.json() as unknown as { error: ErrorBody }
  expect(error).toMatchObject({ code, exit })
  expect(error.message).not.toBe('')
  return error
}

async function send(path: string, { bytes, type }: Body, gateway = net.gateways[0]!): Promise<Response> {
  return fetch(`${gateway}${path}`, {
    method: 'POST',
    headers: { accept: 'application/json', ...(type === undefined ? {} : { 'content-type': type }) },
    body: new Uint8Array(bytes),
  })
}

/** The route refuses the body with the code, and `causeway api` says the same with the exit code of the catalogue. */
async function expectRefused(path: string, body: Body, status: number, code: ErrorCode): Promise<void> {
  const answer = await send(path, body)
  const error = (await answer.json()) as ErrorBody & { request_id: string }
  expect(error).toMatchObject({ code, message: expect.stringMatching(/./), request_id: expect.stringMatching(/./) })
  expect(answer.status).toBe(status)
  expect(ERRORS[code].http).toBe(status)
  expect(answer.headers.get('x-ledger-reject-code')).toBe(code)
  // A command always names a media type.
  if (body.type === undefined) return
  const file = join(net.root, `body-${randomBytes(4).toString('hex')}`)
  await writeFile(file, body.bytes)
  const run = await net.cli('api', 'POST', path, '--body', file, '--content-type', body.type, '--json')
  expect(errorOf(run, code).details).toMatchObject({ http_status: status })
}

const halfDay = 12 * 60 * 60 * 1000

/** Body, status and code of what is no acceptable transaction. */
const TRANSACTIONS: readonly [string, number, ErrorCode, () => Promise<Body>][] = [
  ['nothing', 400, 'truncated', async () => raw('')],
  ['a truncated frame', 400, 'truncated', async () => raw(framed(await alice.signed()).bytes.subarray(0, -1))],
  ['a truncated header', 400, 'truncated', async () => raw(framed(await alice.signed()).bytes.subarray(0, 20))],
  ['a truncated record in a whole frame', 400, 'truncated', async () => framed((await alice.signed()).subarray(0, -1))],
  ['bytes after the frame', 400, 'trailing_bytes', async () => raw(Buffer.concat([await aFrame(), Buffer.of(0)]))],
  [
    'bytes after the record',
    400,
    'trailing_bytes',
    async () => framed(Buffer.concat([await alice.signed(), Buffer.of(0)])),
  ],
  ['a number with more bytes than necessary', 400, 'non_canonical', async () => framed(overlong(await alice.signed()))],
  ['a frame of another record', 400, 'schema_mismatch', async () => raw(RECEIPT_FRAME.wrap(await alice.signed()))],
  ['no frame at all', 400, 'bad_magic', async () => raw(await alice.signed())],
  ['a flipped bit', 400, 'bad_checksum', async () => raw(flipped(await aFrame(), -1))],
  ['a frame of a later version', 400, 'unsupported_version', async () => raw(flipped(await aFrame(), 4))],
  ['an endless body', 413, 'payload_too_large', async () => raw(Buffer.alloc(4 * 1024 * 1024 + 1))],
  [
    'more work than the limit of one transaction',
    400,
    'transaction_limit',
    async () => framed(await alice.many(4_096)),
  ],
  ['a record above the limit of the chain', 400, 'transaction_limit', async () => framed(await alice.large())],
  ['another media type', 415, 'unsupported_media_type', async () => raw(await aFrame(), 'text/plain')],
  ['no media type', 415, 'unsupported_media_type', async () => ({ ...raw(await aFrame()), type: undefined })],
  ['broken JSON', 400, 'malformed_json', async () => json('{"payload": {')],
  ['JSON of another record', 400, 'unknown_field', async () => json(JSON.stringify({ transfer: 1 }))],
  ['JSON without signatures', 400, 'missing_field', async () => changed(({ signatures: _, ...rest }) => rest)],
  ['JSON with an unknown field', 400, 'unknown_field', async () => changed((signed) => ({ ...signed, fee: '0' }))],
  ['the wrong chain', 400, 'chain_mismatch', async () => framed(await alice.signed({ chain: 'another-chain' }))],
  [
    'an expired transaction',
    400,
    'transaction_expired',
    async () => framed(await alice.signed({ nowMs: Date.now() - halfDay })),
  ],
  [
    'a transaction dated in the future',
    400,
    'transaction_in_future',
    async () => framed(await alice.signed({ nowMs: Date.now() + halfDay })),
  ],
  ['a time to live above the limit', 400, 'ttl_too_long', async () => framed(await alice.signed({ ttlMs: halfDay }))],
  ['no instructions', 400, 'transaction_limit', async () => framed(await alice.signed({ instructions: [] }))],
  [
    'an unsigned transaction',
    400,
    'signature_missing',
    async () => framed(await alice.changed((signed) => ({ ...signed, signatures: [] }))),
  ],
  [
    'a signature with a flipped bit',
    400,
    'signature_invalid',
    async () =>
      framed(
        await alice.changed((signed) => ({
          ...signed,
          signatures: signed.signatures.map((one) => ({ ...one, signature: flipped(Buffer.from(one.signature), 0) })),
        })),
      ),
  ],
  ['the signature of another account', 400, 'signature_unknown_signer', async () => framed(await foreign())],
  ['an unregistered account', 422, 'unknown_account', async () => framed(await (await alice.unregistered()).signed())],
]

const aFrame = async (): Promise<Buffer> => framed(await alice.signed()).bytes
const json = (text: string): Body => raw(text, 'application/json')

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  const index = at < 0 ? copy.length + at : at
  copy[index]! ^= 1
  return copy
}

async function changed(change: (signed: Record<string, never>) => unknown): Promise<Body> {
  return json(JSON.stringify(change(await alice.signedJson())))
}

/** A transaction of alice signed with another key. */
async function foreign(): Promise<Buffer> {
  const other = await alice.unregistered()
  return other.signed({ authority: alice.authority })
}

/** Bad input to a network that runs; its last peer is stopped for a while. */
export function badInputSuite(network: () => TestNet): void {
  beforeAll(async () => {
    net = network()
    client = new CausewayClient({ gateway: net.gateways[0]! })
    alice = await Payer.open(client, net.keyFile('alice'), 'bob@bank')
    before = await held()
  })
  afterAll(() => client?.close())

  describe('a body that is not an acceptable transaction', () => {
    it.each(TRANSACTIONS)('%s: %i %s', async (_, status, code, make) => {
      await expectRefused('/transaction', await make(), status, code)
    })
  })

  describe('a repeated transaction', () => {
    it('is refused while it is queued and once it is committed, on every node', async () => {
      const bytes = await alice.signed()
      const body = framed(bytes)
      const both = await Promise.all([send('/transaction', body), send('/transaction', body)])
      const late = both.find((one) => one.status !== 202)
      expect(both.map((one) => one.status).sort()).toEqual([202, 409])
      expect(['already_enqueued', 'already_committed']).toContain(((await late!.json()) as ErrorBody).code)
      const taken = both.find((one) => one.status === 202)!
      const { transaction_hash: hash } = (await taken.json()) as { transaction_hash: string }
      expect((await client.waitTransaction(hash)).state).toBe('approved')
      await expectRefused('/transaction', body, 409, 'already_committed')
      for (const gateway of net.gateways.slice(1)) {
        const code = await until(`${hash} in a block of ${gateway}`, async () => {
          const answer = await send('/transaction', body, gateway)
          expect(answer.status).toBe(409)
          const found = ((await answer.json()) as ErrorBody).code
          return found === 'already_enqueued' ? undefined : found
        })
        expect(code).toBe('already_committed')
      }
    })
  })

  describe('a transaction that the ledger rejects', () => {
    const sent = async (instructions: unknown, keyFile = net.keyFile('alice')): Promise<Run> => {
      const file = join(net.root, `instructions-${randomBytes(4).toString('hex')}.json`)
      await writeFile(file, typeof instructions === 'string' ? instructions : JSON.stringify(instructions))
      return net.cli('tx', 'send', file, '--json', '--key-file', keyFile)
    }

    it('for insufficient funds is in a block with its code, and the command exits 6', async () => {
      const error = errorOf(await sent(alice.jsonForm('1000000000.00')), 'not_enough')
      expect(error.details).toMatchObject({ state: 'rejected', height: expect.any(Number) })
      const hash = error.details?.hash as string
      const path = `/v1/pipeline/transactions/status?hash=${hash}`
      expect(await getJson(net.gateways[0]!, path)).toMatchObject({
        content: { status: { kind: 'Rejected' }, rejection: { code: 'not_enough' } },
      })
      const shown = await net.cli('tx', 'show', hash, '--json')
      expect(shown.code).toBe(0)
      expect(shown.json()).toMatchObject({ state: 'rejected', rejection: { code: 'not_enough' } })
      const words = ['--key-file', net.keyFile('alice'), '--to', 'bob@bank', '--asset', 'eur#bank']
      errorOf(await net.cli('asset', 'transfer', ...words, '--amount', '1000000000', '--json'), 'not_enough')
    })

    it('for an unregistered account, as payer and as payee', async () => {
      const key = join(net.root, 'stranger.json')
      const made = await net.cli('key', 'generate', '--out', key, '--json')
      expect(made.code).toBe(0)
      errorOf(await sent(alice.jsonForm(), key), 'unknown_account')
      const { Transfer } = (await alice.unregistered()).jsonForm()
      errorOf(await sent(alice.jsonForm('0.01', Transfer.asset.account)), 'unknown_account')
      const path = `/v1/accounts/${Transfer.asset.account}`
      expect((await fetch(`${net.gateways[0]}${path}`)).status).toBe(404)
      errorOf(await net.cli('account', 'show', Transfer.asset.account, '--json'), 'not_found')
      errorOf(await net.cli('account', 'show', 'nobody@bank', '--json'), 'not_found')
    })

    it('for a missing permission', async () => {
      const bob = await Payer.open(client, net.keyFile('bob'), 'alice@bank')
      errorOf(await sent(bob.jsonForm()), 'not_permitted', 6)
    })

    it('with invalid instructions is never sent by the command', async () => {
      errorOf(await sent('{"Transfer": '), 'malformed_json')
      errorOf(await sent({ Teleport: {} }), 'unknown_instruction')
      errorOf(await sent({ Transfer: { to: 'bob' } }), 'missing_field')
      errorOf(await sent(Array.from({ length: 4_096 }, () => alice.jsonForm())), 'transaction_limit')
    })
  })

  describe('a body that is not an acceptable payment message', () => {
    const XML = 'application/xml'
    const doctype = async (): Promise<string> =>
      (await message()).replace('?>', '?><!DOCTYPE Envelope [<!ENTITY a "aaaa">]>')
    const MESSAGES: readonly [string, number, ErrorCode, () => Promise<Body>][] = [
      ['malformed XML', 400, 'iso_malformed', async () => raw((await message()).replace('</GrpHdr>', ''), XML)],
      ['a truncated message', 400, 'iso_malformed', async () => raw((await message()).slice(0, -40), XML)],
      ['an empty message', 400, 'iso_malformed', async () => raw('', XML)],
      ['a DOCTYPE', 400, 'iso_malformed', async () => raw(await doctype(), XML)],
      ['another encoding', 415, 'iso_encoding', async () => raw(Buffer.from(await message(), 'utf16le'), XML)],
      ['a wrong check digit', 422, 'iso_invalid', async () => raw((await message()).replace('NL48', 'NL49'), XML)],
      ['another version', 422, 'iso_invalid', async () => raw((await message()).replaceAll('.001.08', '.001.02'), XML)],
      [
        'an unknown currency',
        422,
        'iso_invalid',
        async () => raw((await message()).replace('Ccy="EUR"', 'Ccy="ZZZ"'), XML),
      ],
      ['unknown accounts', 422, 'iso_unbound', async () => raw(await message(), XML)],
      ['an oversized message', 413, 'payload_too_large', async () => raw(Buffer.alloc(2 * 1024 * 1024 + 1, 0x20), XML)],
    ]

    it.each(MESSAGES)('%s: %i %s', async (_, status, code, make) => {
      const body = await make()
      const file = join(net.root, `message-${randomBytes(4).toString('hex')}`)
      await writeFile(file, body.bytes)
      await expectRefused('/v1/iso20022/pacs008', body, status, code)
      errorOf(await net.cli('iso', 'submit', 'pacs008', file, '--json'), code)
    })

    it('another media type: 415 unsupported_media_type', async () => {
      await expectRefused(
        '/v1/iso20022/pacs008',
        raw(await message(), 'application/x-codec'),
        415,
        'unsupported_media_type',
      )
      await expectRefused('/v1/iso20022/pacs008', raw(await message(), 'image/png'), 415, 'unsupported_media_type')
    })

    it('an unknown id: 404 iso_unknown_message', async () => {
      errorOf(await net.cli('iso', 'status', 'NEVER-SEEN', '--json'), 'iso_unknown_message')
    })

    it('insufficient funds: RJCT with AM04, exit 6', async () => {
      const parties = { id: 'RICH-1', amount: '5000000.00' }
      const text = (await message(parties))
        .replaceAll('NL48QQNL0417164300', 'DE75512108001245126199')
        .replaceAll('ES5291820004450200051332', 'FR7630006000011234567890189')
        .replaceAll('QQNLNL2A', 'ALPHDEFF')
      const file = await messageFile(net.root, parties)
      await writeFile(file, text)
      const run = await net.cli('iso', 'submit', 'pacs008', file, '--json')
      expect(run.code, run.stdout + run.stderr).toBe(6)
      expect(run.json()).toMatchObject({ pacs002_code: 'RJCT', rejection_reason_code: 'AM04', replayed: false })
      const again = await net.cli('iso', 'submit', 'pacs008', file, '--json')
      expect(again.code).toBe(6)
      expect(again.json()).toMatchObject({ pacs002_code: 'RJCT', rejection_reason_code: 'AM04', replayed: true })
    })
  })

  describe('a node that cannot start', () => {
    /** A transaction from before the stop. */
    let known: Buffer
    beforeAll(async () => {
      known = await alice.signed()
      const taken = (await (await send('/transaction', framed(known))).json()) as { transaction_hash: string }
      expect((await client.waitTransaction(taken.transaction_hash)).state).toBe('approved')
      const down = await net.cli('localnet', 'down', '--dir', net.folder, '--only', 'val-3', '--json')
      expect(down.json()).toEqual({ peers: [{ name: 'val-3', result: 'stopped' }] })
    })

    it.each(START_FAULTS)('%s: %s, and no process or lock remains', async (name, code, spoil) => {
      const copy = await PeerCopy.of(net, join(net.folder, 'val-3'), name.replaceAll(' ', '-'))
      const named = await spoil(net, copy)
      const run = await copy.start('--json')
      const error = errorOf(run, code)
      for (const word of named) expect(error.message).toContain(word)
      expect(await processesOf(copy.folder)).toEqual([])
      expect(await readdir(copy.path('data'))).not.toContain('lock')
      // For people: the same code and the same message, on standard error.
      const plain = await copy.startHere()
      expect(plain.code).toBe(run.code)
      expect(plain.stdout).toBe('')
      expect(plain.stderr).toContain(`error: ${error.message} [${code}]`)
    })

    it('has no lasting effect: the peer starts again as before', async () => {
      const run = await net.up('--only', 'val-3')
      expect(run.code, run.stdout + run.stderr).toBe(0)
      await net.agreed(4)
      const again = await send('/transaction', framed(known), net.gateways[3])
      expect(again.status).toBe(409)
      expect(((await again.json()) as ErrorBody).code).toBe('already_committed')
    })
  })

  describe('after all invalid input', () => {
    it('the network commits, agrees, and only valid transactions moved money', async () => {
      const words = ['--key-file', net.keyFile('alice'), '--to', 'bob@bank', '--asset', 'eur#bank', '--amount', '1']
      const run = await net.cli('asset', 'transfer', ...words, '--json')
      expect(run.code, run.stdout + run.stderr).toBe(0)
      const { height } = run.json() as unknown as { height: number }
      await net.agreed(4, height)
      for (const gateway of net.gateways) {
        // One euro here, and a cent each of the two transactions that came again.
        expect(await held(gateway)).toEqual([before[0]! - 102, before[1]! + 102])
        const health = await fetch(`${gateway}/health`)
        expect(health.status).toBe(200)
      }
    })
  })
}
