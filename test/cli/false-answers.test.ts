/** The client and the command line before a gateway that lies about a real chain: nothing is believed that can be proven. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Config } from '@oclif/core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import * as api from '../../src/api/index.js'
import { CausewayClient, routes } from '../../src/client/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { instructions as iso } from '../../src/features/iso20022/schema/instructions.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'
import { DEFAULT_POLICY } from '../../src/features/names/schema/records.js'
import { writeKeyFile } from '../../src/files/key-file.js'
import { formatAddress, instruction } from '../../src/model/index.js'
import { testAccount } from '../support/chain.js'
import {
  FAULTY_RESPONSES,
  type FaultyGateway,
  faultyGateway,
  faultyProxy,
  type Passed,
} from '../support/faulty-gateway.js'
import { type Served, serve } from '../support/served.js'
import { runHere } from './in-process.js'

let served: Served
let genesisHash = ''
let chain = ''
let networkKey = ''
let folder = ''
let config: Config
const gateways: FaultyGateway[] = []
const clients: CausewayClient[] = []
beforeAll(async () => {
  served = await serve(ABI_2, [
    instruction(iso.bindCurrency, { currency: 'USD', definition: 'usd#bank' }),
    instruction(names.setNamePolicy, { domain: 'bank', policy: { ...DEFAULT_POLICY, mode: 'leased' }, version: 1 }),
  ])
  const honest = new CausewayClient({ gateway: served.url })
  const found = await honest.chain()
  await honest.close()
  genesisHash = Buffer.from(found.genesisHash).toString('hex')
  ;({ chain, networkKey } = found)
  folder = await mkdtemp(join(tmpdir(), 'lies-'))
  await writeKeyFile(join(folder, 'alice.json'), served.alice.pair)
  vi.stubEnv('NODE_ENV', 'production')
  config = await Config.load(process.cwd())
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  for (const gateway of gateways.splice(0)) await gateway.close()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await served.close()
  await rm(folder, { recursive: true, force: true })
})

type Responses = Parameters<typeof faultyProxy>[1]
async function proxy(responses: Responses): Promise<FaultyGateway> {
  const gateway = await faultyProxy(served.url, responses)
  gateways.push(gateway)
  return gateway
}
function clientOf(gateway: string, pinned: boolean): CausewayClient {
  const client = new CausewayClient({
    gateway,
    signer: served.alice.pair,
    ...(pinned ? { pin: { chain, genesisHash } } : {}),
  })
  clients.push(client)
  return client
}
const change = (answer: Passed, edit: (json: Record<string, never>) => unknown): void => {
  const json = JSON.parse(answer.body.toString('utf8')) as Record<string, never>
  edit(json)
  answer.body = Buffer.from(JSON.stringify(json))
}
/** Writes the leaves of `lie` over those of `json`. */
function overwrite(json: Record<string, unknown>, forgery: object): void {
  for (const [key, value] of Object.entries(forgery)) {
    if (typeof value === 'object') overwrite(json[key] as Record<string, unknown>, value)
    else json[key] = value
  }
}
const LOG = [{ Log: { level: 'Info', text: 'hello' } }]

/** Drops transactions, says that it had them already, and that they are applied. */
const dropping: Responses = {
  before(request, response) {
    const [path = ''] = (request.url ?? '').split('?')
    const answer = (status: number, value: unknown): true => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      return true
    }
    if (request.method === 'POST' && path === '/transaction')
      return answer(409, { code: 'already_committed', message: 'm', hint: 'h' })
    if (path !== '/v1/pipeline/transactions/status') return false
    const hash = new URL(request.url ?? '', 'http://x').searchParams.get('hash')
    const status = { kind: 'Applied', block_height: 2, block_hash: '00'.repeat(32), index: 0 }
    return answer(200, {
      kind: 'Transaction',
      content: { hash, status, scope: 'auto', rejection: null, resolved_from: 'state', queue: null },
    })
  },
}

describe('a transaction that a gateway reports as applied', () => {
  it('is unverified if no genesis is pinned', async () => {
    const client = clientOf((await proxy(dropping)).url, false)
    const { transactionHash } = await client.transact(LOG)
    const state = await client.waitTransaction(transactionHash.toString('hex'))
    expect(state).toMatchObject({ state: 'approved', proof: 'unverified' })
  })

  it('is refused without a proof if the genesis is pinned', async () => {
    const client = clientOf((await proxy(dropping)).url, true)
    const { transactionHash } = await client.transact(LOG)
    await expect(client.waitTransaction(transactionHash.toString('hex'))).rejects.toMatchObject({
      code: 'proof_invalid',
    })
  })

  it('is refused without a height', async () => {
    const client = clientOf(served.url, true)
    const state = { state: 'approved' } as const
    await expect(client.prove('ab'.repeat(32), state)).rejects.toMatchObject({ code: 'proof_invalid' })
  })

  it('is refused with the proof of another transaction', async () => {
    const honest = clientOf(served.url, true)
    const { transactionHash } = await honest.transact(LOG)
    const first = await honest.waitTransaction(transactionHash.toString('hex'))
    expect(first).toMatchObject({ state: 'approved', proof: 'verified' })
    const params = { height: first.height ?? 0, hash: transactionHash }
    const { body } = await honest.api(
      'GET',
      `/v1/ledger/block/${params.height}/proof/${transactionHash.toString('hex')}`,
    )
    const gateway = await proxy({
      before(request, response, sent) {
        if (request.url?.includes('/proof/') === true) {
          response.writeHead(200, { 'content-type': 'application/json' }).end(body)
          return true
        }
        return dropping.before?.(request, response, sent) ?? false
      },
    })
    const client = clientOf(gateway.url, true)
    const other = await client.transact(LOG)
    await expect(client.waitTransaction(other.transactionHash.toString('hex'))).rejects.toMatchObject({
      code: 'proof_invalid',
    })
  })

  it.each([
    ['another outcome', { result: { outcome: 'Approved' } }],
    ['another place', { transaction_proof: { index: 1 } }],
    ['another header', { finality: { block: { header: { time_ms: 1 } } } }],
    ['a forged certificate', { finality: { block: { certificate: { aggregate: '11'.repeat(96) } } } }],
  ])('is refused with a proof that has %s', async (_what, forgery) => {
    const gateway = await proxy({
      after(request, answer) {
        if (request.url?.includes('/proof/') === true && answer.status === 200)
          change(answer, (json) => overwrite(json, forgery))
      },
    })
    const client = clientOf(gateway.url, true)
    const missing = formatAddress((await testAccount('nobody')).id)
    const asset = { definition: 'usd#bank', account: formatAddress(served.bob.id) }
    const { transactionHash } = await client.transact([{ Transfer: { asset, to: missing, amount: '1' } }])
    await expect(client.waitTransaction(transactionHash.toString('hex'))).rejects.toMatchObject({
      code: 'proof_invalid',
    })
  })

  it('is proven with its outcome, even if rejected', async () => {
    const client = clientOf(served.url, true)
    const missing = formatAddress((await testAccount('nobody')).id)
    const asset = { definition: 'usd#bank', account: formatAddress(served.bob.id) }
    const { transactionHash } = await client.transact([{ Transfer: { asset, to: missing, amount: '1' } }])
    const state = await client.waitTransaction(transactionHash.toString('hex'))
    expect(state).toMatchObject({ state: 'rejected', proof: 'verified', rejection: { message: expect.any(String) } })
  })

  it('is refused if another transaction was requested', async () => {
    const gateway = await proxy({
      after(request, answer) {
        if (request.url?.startsWith('/v1/pipeline/') !== true || answer.status !== 200) return
        change(answer, (json) => Object.assign(json.content ?? {}, { hash: '00'.repeat(32) }))
      },
    })
    const client = clientOf(gateway.url, false)
    const { transactionHash } = await client.transact(LOG)
    await expect(client.waitTransaction(transactionHash.toString('hex'))).rejects.toMatchObject({
      code: 'not_a_gateway',
    })
  })
})

describe('a receipt', () => {
  it.each([
    ['of another transaction', 8],
    ['with another signature', -8],
  ])('%s is refused', async (_what, at) => {
    const gateway = await proxy({
      after(request, answer) {
        if (request.method !== 'POST' || request.url !== '/transaction') return
        // The frame has a checksum: a liar seals it anew.
        const { RECEIPT_FRAME } = api
        const opened = RECEIPT_FRAME.open(answer.body)
        if (!opened.ok) throw new Error(opened.fault.message)
        const receipt = structuredClone(opened.value)
        const field = at > 0 ? receipt.transactionHash : receipt.signature
        field[8] = (field[8] ?? 0) ^ 1
        answer.body = RECEIPT_FRAME.seal(receipt)
      },
    })
    await expect(clientOf(gateway.url, false).transact(LOG)).rejects.toMatchObject({ code: 'not_a_gateway' })
  })
})

describe('a client that pins its gateway', () => {
  it.each([
    ['chain', { chain: 'other' }],
    ['genesis', { genesisHash: '00'.repeat(32) }],
  ])('sends no further request if the gateway differs from the pinned %s', async (_what, pin) => {
    const gateway = await proxy({})
    const client = new CausewayClient({ gateway: gateway.url, signer: served.alice.pair, pin })
    clients.push(client)
    for (const call of [
      () => client.status(),
      () => client.transact(LOG),
      () => client.transactionStatus('ab'.repeat(32)),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'gateway_untrusted' })
    await expect(client.events().next()).rejects.toMatchObject({ code: 'gateway_untrusted' })
    expect(new Set(gateway.asked)).toEqual(new Set(['GET /v1/node/capabilities']))
  })

  /** Shows the genesis that is wanted, and names another chain, on which the same key has money. */
  const renaming = (inHeader: boolean): Responses => ({
    after(request, answer) {
      const name = (json: object) => Object.assign(json, { chain: 'other' })
      if (request.url === '/v1/node/capabilities') change(answer, name)
      if (inHeader && request.url?.startsWith('/v1/ledger/headers') === true)
        change(answer, (json) => name((json as unknown as { items: { header: object }[] }).items[0]?.header ?? {}))
    },
  })
  it.each([
    ['an honest header', false],
    ['a header of that name', true],
  ])('does not sign if the gateway returns %s for the pinned genesis', async (_what, inHeader) => {
    const gateway = await proxy(renaming(inHeader))
    const client = new CausewayClient({ gateway: gateway.url, signer: served.alice.pair, pin: { genesisHash } })
    clients.push(client)
    await expect(client.transact(LOG)).rejects.toMatchObject({ code: 'gateway_untrusted' })
    expect(gateway.asked).not.toContain('POST /transaction')
    vi.stubEnv('XDG_CONFIG_HOME', folder)
    for (const known of [['--genesis-hash', genesisHash], []]) {
      const words = ['bank-c', '--gateway', gateway.url, ...known, '--json']
      const { code, stdout } = await runHere(config, 'profile:create', words)
      expect([code, JSON.parse(stdout).error.code]).toEqual([3, 'gateway_untrusted'])
    }
  })

  it('signs for the chain of the genesis if only the genesis is pinned', async () => {
    const client = new CausewayClient({ gateway: served.url, signer: served.alice.pair, pin: { genesisHash } })
    clients.push(client)
    await expect(client.transact(LOG)).resolves.toMatchObject({ receipt: { signer: expect.any(String) } })
  })
})

/** Return the account of a thief for an alias; `capabilities`: further false fields of the node. */
async function swapping(capabilities = {}): Promise<{ gateway: FaultyGateway; thief: string }> {
  const thief = formatAddress((await clientOf(served.url, false).account('admin@bank')).id)
  const gateway = await proxy({
    after(request, answer) {
      if (request.url === '/v1/accounts/user1%40bank') change(answer, (json) => Object.assign(json, { id: thief }))
      if (request.url === '/v1/node/capabilities') change(answer, (json) => Object.assign(json, capabilities))
      if (request.url !== '/v1/aliases/resolve/batch') return
      change(answer, (json) => {
        for (const item of json.items as unknown as { alias: string; answer: object }[])
          if (item.alias === 'user1@bank') Object.assign(item.answer, { account_id: thief, canonical: 'admin@bank' })
      })
    },
  })
  return { gateway, thief }
}

describe('a payment to an alias', () => {
  it.each([false, true])(
    'is rejected with alias_moved if the gateway resolves it to the account of an attacker (pinned: %s)',
    async (pinned) => {
      const { gateway } = await swapping()
      const client = clientOf(gateway.url, pinned)
      const asset = { definition: 'usd#bank', account: formatAddress(served.alice.id) }
      const outcome = await client.transactAndWait([{ Transfer: { asset, to: 'user1@bank', amount: '1' } }])
      expect(outcome).toMatchObject({ state: 'rejected', rejection: { code: 'alias_moved', instruction: 0 } })
    },
  )
})

describe('the command line', () => {
  const TO_BOB = ['--account', 'user1@bank', '--json']
  const profile = async (gateway: string, pinned: boolean): Promise<void> => {
    await mkdir(join(folder, 'causeway'), { recursive: true })
    const pins = pinned ? { chain, genesis_hash: genesisHash } : {}
    const bank = { gateway, key_file: join(folder, 'alice.json'), ...pins }
    await writeFile(join(folder, 'causeway', 'config.json'), JSON.stringify({ active: 'bank', profiles: { bank } }))
    vi.stubEnv('XDG_CONFIG_HOME', folder)
  }
  const pay = (...words: string[]) =>
    runHere(config, 'asset:transfer', ['--to', 'user1@bank', '--asset', 'usd#bank', '--amount', '1', ...words])

  it('shows the account of an alias before signing, and the ledger rejects the account of an attacker', async () => {
    const { gateway, thief } = await swapping()
    await profile(gateway.url, false)
    const { code, stdout, stderr } = await pay('--json')
    expect([code, JSON.parse(stdout).error.code]).toEqual([6, 'alias_moved'])
    expect(stderr).toContain(`user1@bank is ${thief}, home domain bank, name in force (as reported by the gateway)`)
    expect(stderr).toMatch(/Transfer 1\.00 usd#bank from user0@bank \(cw1.*\) to admin@bank \(cw1.*\)/)
    expect(stderr).toContain(`admin@bank is ${thief}, home domain bank, name in force (as reported by the gateway)`)
    expect(stderr).toContain(`${gateway.url} (from profile bank)`)
  })

  it('does not sign for an alias that resolves to an attacker if the genesis is pinned', async () => {
    const { gateway } = await swapping()
    await profile(gateway.url, true)
    const { code, stdout } = await pay('--json')
    expect([code, JSON.parse(stdout).error.code]).toEqual([10, 'proof_invalid'])
    expect(gateway.asked).not.toContain('POST /transaction')
  })

  it('verifies a proof of the account of an alias if the genesis is pinned', async () => {
    await profile(served.url, true)
    const { code, stdout, stderr } = await pay('--json')
    expect(stderr).toMatch(
      new RegExp(
        `user1@bank is ${formatAddress(served.bob.id)}, home domain bank, name in force \\(proven at height \\d+\\)`,
      ),
    )
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { state: 'approved', proof: 'verified' }])
  })

  it('accepts aliases of accounts and assets in flags, files and objects of permissions', async () => {
    await profile(served.url, false)
    const transfer = { asset: { definition: 'ccy:USD', account: 'user0@bank' }, to: 'user1@bank', amount: '1' }
    await writeFile(join(folder, 'pay.json'), JSON.stringify({ Transfer: transfer }))
    await writeFile(join(folder, 'list.json'), JSON.stringify([{ to: 'user1@bank', amount: '1', asset: 'ccy:USD' }]))
    const runs: [string, string[]][] = [
      ['asset:transfer', ['--to', 'User1@bank', '--asset', 'ccy:USD', '--amount', '1']],
      ['asset:transfer-batch', [join(folder, 'list.json')]],
      ['tx:send', [join(folder, 'pay.json')]],
      ['permission:grant', ['CanTransferAsset:ccy:USD#user0@bank', '--to', 'user1@bank']],
      ['trigger:register', ['rent', join(folder, 'pay.json'), '--call']],
    ]
    for (const [id, words] of runs) {
      const { code, stdout, stderr } = await runHere(config, id, [...words, '--json'])
      expect([code, JSON.parse(stdout).state], `${id} ${stdout} ${stderr}`).toEqual([0, 'approved'])
      expect(stderr, id).toMatch(/AssertAliases/)
    }
    const { stdout } = await runHere(config, 'trigger:show', ['rent', '--json'])
    expect(Object.keys(JSON.parse(stdout).instructions[0])).toEqual(['AssertAliases'])
  })

  it('registers no name for the account of an attacker that the gateway returns for an alias', async () => {
    const { gateway } = await swapping()
    await profile(gateway.url, false)
    const { code, stdout, stderr } = await runHere(config, 'name:register', ['desk@bank', ...TO_BOB])
    expect([code, JSON.parse(stdout).error.code], stderr).toEqual([6, 'alias_moved'])
    const found = clientOf(served.url, false).json('GET', '/v1/names/desk%40bank')
    await expect(found).rejects.toMatchObject({ code: 'not_found' })
  })

  it('registers a name for the account of an alias, and exits with name_taken if the account has it', async () => {
    await profile(served.url, false)
    const register = () => runHere(config, 'name:register', ['till@bank', ...TO_BOB])
    const registered = await register()
    expect(registered.code, registered.stdout + registered.stderr).toBe(0)
    const { code, stdout } = await register()
    expect([code, JSON.parse(stdout).error.code]).toEqual([6, 'name_taken'])
  })

  it('sends no alias if the gateway reports a network with ABI 1', async () => {
    const { gateway } = await swapping({ abi_version: 1 })
    await profile(gateway.url, false)
    const { code, stdout } = await pay('--json')
    expect([code, JSON.parse(stdout).error.code]).toEqual([4, 'alias_unknown'])
    expect(gateway.asked).not.toContain('POST /transaction')
  })

  it('refuses the proof of another alias', async () => {
    const gateway = await proxy({
      before: async (request, response) => {
        if (request.url?.startsWith('/v1/ledger/state-proof') !== true) return false
        const key = encodeURIComponent(JSON.stringify({ domain: 'bank', label: 'user0' }))
        const answer = await fetch(`${served.url}/v1/ledger/state-proof?table=aliases&key=${key}`)
        response.writeHead(200, { 'content-type': 'application/json' }).end(await answer.text())
        return true
      },
    })
    await profile(gateway.url, true)
    const { code, stdout } = await pay('--json')
    expect([code, JSON.parse(stdout).error.code]).toEqual([10, 'proof_invalid'])
  })

  it('reports a payment without proof as unverified, or as an error if the genesis is pinned', async () => {
    await profile((await proxy(dropping)).url, true)
    const { code, stdout } = await pay('--json')
    expect([code, JSON.parse(stdout).error.code]).toEqual([10, 'proof_invalid'])
    await profile((await proxy(dropping)).url, false)
    expect((await pay()).stdout).toContain('unverified')
  })

  it('pins the chain of a gateway when a profile is added, and prints it', async () => {
    const words = ['bank-b', '--gateway', served.url]
    vi.stubEnv('XDG_CONFIG_HOME', folder)
    const added = await runHere(config, 'profile:create', words)
    expect(added.stderr).toContain(`pinned chain ${chain} with genesis ${genesisHash} and node ${networkKey}`)
    const text = await readFile(join(folder, 'causeway', 'config.json'), 'utf8')
    expect(JSON.parse(text).profiles['bank-b']).toEqual({
      gateway: served.url,
      chain,
      genesis_hash: genesisHash,
      network_key: networkKey,
    })
    const other = await runHere(config, 'profile:create', [...words, '--genesis-hash', 'ab'.repeat(32), '--json'])
    expect([other.code, JSON.parse(other.stdout).error.code]).toEqual([3, 'gateway_untrusted'])
  })
})

describe('a node whose key differs from the pinned key', () => {
  const FOREIGN_KEY = 'ed0120'.padEnd(70, '7')

  it('serves unsigned reads, but receives no signed request', async () => {
    const gateway = await proxy({})
    const pin = { chain, genesisHash, networkKey: FOREIGN_KEY }
    const client = new CausewayClient({ gateway: gateway.url, signer: served.alice.pair, pin })
    clients.push(client)
    await expect(client.status()).resolves.toMatchObject({ chain })
    await expect(client.json('GET', '/v1/domains')).rejects.toMatchObject({
      code: 'gateway_untrusted',
      details: { is: networkKey, pinned: FOREIGN_KEY },
    })
    expect(gateway.asked).not.toContain('GET /v1/domains')
  })

  it('causes a signed command to fail with a hint until its key is pinned', async () => {
    const file = join(folder, 'causeway', 'config.json')
    await mkdir(join(folder, 'causeway'), { recursive: true })
    const pins = { chain, genesis_hash: genesisHash, network_key: FOREIGN_KEY }
    const bank = { gateway: served.url, key_file: join(folder, 'alice.json'), token: 'secret', ...pins }
    await writeFile(file, JSON.stringify({ active: 'bank', profiles: { bank } }))
    vi.stubEnv('XDG_CONFIG_HOME', folder)
    const refused = await runHere(config, 'consensus:status', [])
    expect(refused.code).toBe(3)
    expect(refused.stderr).toContain(`${served.url} is the node ${networkKey}, but ${FOREIGN_KEY} is pinned`)
    expect(refused.stderr).toContain('causeway profile pin')
    const pinned = await runHere(config, 'profile:pin', ['bank'])
    expect(pinned.stdout).toContain(`and node ${networkKey}, replacing ${FOREIGN_KEY}`)
    expect(JSON.parse(await readFile(file, 'utf8')).profiles.bank).toEqual({ ...bank, network_key: networkKey })
    expect((await runHere(config, 'consensus:status', [])).code).toBe(0)
  })

  it('cannot change the chain', async () => {
    await mkdir(join(folder, 'causeway'), { recursive: true })
    const bank = { gateway: served.url, chain, genesis_hash: '00'.repeat(32) }
    await writeFile(join(folder, 'causeway', 'config.json'), JSON.stringify({ profiles: { bank } }))
    vi.stubEnv('XDG_CONFIG_HOME', folder)
    const { code, stdout } = await runHere(config, 'profile:pin', ['bank', '--json'])
    expect([code, JSON.parse(stdout).error.code]).toEqual([3, 'gateway_untrusted'])
  })
})

describe.each(Object.entries(FAULTY_RESPONSES))('%s', (_name, forgery) => {
  it('fails every call of the client with a specific error', async () => {
    const honest = await fetch(`${served.url}/v1/node/capabilities`, { headers: { accept: 'application/json' } })
    const gateway = await faultyGateway(() => forgery, await honest.text())
    gateways.push(gateway)
    const client = new CausewayClient({ gateway: gateway.url, signer: served.alice.pair, timeoutMs: 150, retries: 0 })
    clients.push(client)
    const paths: (readonly [method: string, path: string])[] = []
    const rows = (table: object): void => {
      for (const one of Object.values(table)) {
        if (typeof one.method !== 'string') rows(one)
        else if (one.path !== '/v1/node/capabilities' && one.response !== undefined)
          paths.push([one.method, one.path.replaceAll(/\{[^}]+\}/g, 'x')])
      }
    }
    rows(routes)
    const address = formatAddress(served.alice.id)
    const calls: Record<string, () => Promise<unknown>> = {
      health: () => client.health(),
      height: () => client.height(),
      status: () => client.status(),
      peers: () => client.peers(),
      versions: () => client.versions(),
      consensusStatus: () => client.consensusStatus(),
      rbc: () => client.rbc(),
      rbcSessions: () => client.rbcSessions(),
      transact: () => client.transact(LOG),
      waitTransaction: () => client.waitTransaction('ab'.repeat(32), { timeoutMs: 150 }),
      domains: () => client.domains(),
      assetDefinitions: () => client.assetDefinitions(),
      account: () => client.account(address),
      isoSubmit: () => client.isoSubmit('pacs008', Buffer.from('<x/>')),
      isoStatus: () => client.isoStatus('M-1'),
      query: () => client.query('domains'),
      queryItems: () => client.queryItems('domains').next(),
      events: () => client.events().next(),
      eventsSse: () => client.events({ transport: 'sse' }).next(),
      blocks: () => client.blocks({ fromHeight: 1 }).next(),
      consensusStatuses: () => client.consensusStatuses().next(),
      explorerItems: () => client.explorerItems('block', { fromHeight: 1 }).next(),
      rawSocket: () => client.rawSocket('/events', '{}'),
      openSession: () => client.openSession(),
    }
    for (const [method, path] of paths) calls[`${method} ${path}`] = () => client.json(method, path)
    const outcomes = await Promise.all(
      Object.entries(calls).map(async ([name, call]) => {
        try {
          await call()
          return `${name}: takes it for the truth`
        } catch (error) {
          const { code, message } = error as { code?: string; message: string }
          const ok = code !== undefined && code !== 'internal' && message.length < 3_000
          return ok ? undefined : `${name}: ${code} ${message.slice(0, 200)}`
        }
      }),
    )
    expect(paths.length).toBeGreaterThan(60)
    expect(outcomes.filter((one) => one !== undefined)).toEqual([])
  })
})
