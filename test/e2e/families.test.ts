/**
 * Every feature once on one network of four processes, which `causeway quickstart` started: a validator is killed and started again
 * while payments go on, then each feature does its work through one gateway and another one shows it. Long stories of a feature have
 * files of their own, which `npm run test:all` runs.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CausewayClient, readKeyFile, routes } from '../../src/client/index.js'
import { formatPublicKey } from '../../src/crypto/index.js'
import * as features from '../../src/features/schemas.js'
import { BROWSER_MISSING } from '../support/browser.js'
import { inPage, lookAt, openBrowser } from '../support/looking.js'
import { needs } from '../support/needs.js'
import { PushBrowser } from '../support/push-browser.js'
import { getJson, TestNet, until } from './localnet.js'
import { type IsoRecord, message, messageFile, PARTIES, post } from './messages.js'

type Answer = Record<string, unknown>

let net: TestNet
/** The gateway that commands use, and one that only answers reads. */
let first: string
let other: string
/** A server outside of the network: a collector of traces, a push service and the endpoint of a webhook. */
let outside: Server
let outsideUrl: string
const received = new Map<string, { readonly headers: IncomingMessage['headers']; readonly body: Buffer }[]>()

/** Runs a command with the key of an account; fails unless it succeeds. */
async function as(account: string, ...words: readonly string[]): Promise<Answer> {
  const run = await net.cli(...words, '--json', '--key-file', net.keyFile(account))
  if (run.code !== 0) throw new Error(`${words.join(' ')}: ${run.stdout}${run.stderr}`)
  return run.json() as Answer
}
/** Runs a command that only reads. */
async function read(...words: readonly string[]): Promise<Answer> {
  const run = await net.cli(...words, '--json')
  if (run.code !== 0) throw new Error(`${words.join(' ')}: ${run.stdout}${run.stderr}`)
  return run.json() as Answer
}
/** Waits until the other gateway, which may be a block behind, shows what is expected; fails with the last difference. */
async function shown(path: string, expected: Answer): Promise<void> {
  let difference: unknown
  await until(path, async () => {
    try {
      expect(await getJson<Answer>(other, path)).toMatchObject(expected)
      return true
    } catch (error) {
      difference = error
      return undefined
    }
  }).catch(() => {
    throw difference
  })
}
const addressOf = async (alias: string): Promise<string> =>
  (await getJson<{ id: string }>(first, `/v1/accounts/${alias}`)).id
async function balanceOf(gateway: string, account: string, definition = 'eur#bank'): Promise<number> {
  const { balances } = await getJson<{ balances: { definition: string; amount: string }[] }>(
    gateway,
    `/v1/accounts/${account}`,
  )
  return Number(balances.find((one) => one.definition === definition)?.amount ?? 0)
}
async function file(name: string, content: unknown): Promise<string> {
  const path = join(net.root, name)
  await writeFile(path, JSON.stringify(content))
  return path
}
const pay = (amount: string, gateway = first): Promise<Answer> =>
  as('alice', 'asset', 'transfer', '--to', 'bob@bank', '--asset', 'eur#bank', '--amount', amount, '--gateway', gateway)
/** Requests that the outside server received at a path, once one matches. */
const receivedAt = (path: string, fits: (body: Buffer) => boolean = () => true) =>
  until(`a request to ${path}`, async () => received.get(path)?.find(({ body }) => fits(body)))

beforeAll(async () => {
  outside = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const path = request.url ?? ''
      received.set(path, [...(received.get(path) ?? []), { headers: request.headers, body: Buffer.concat(parts) }])
      response.writeHead(path.startsWith('/push') ? 201 : 200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  outsideUrl = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
  net = await TestNet.quickstart()
  first = net.gateways[0] ?? ''
  other = net.gateways[2] ?? ''
})
afterAll(async () => {
  await TestNet.closeAll()
  outside.closeAllConnections()
  await new Promise((resolve) => outside.close(resolve))
})

describe('the quickstart', () => {
  it('settles a payment on four processes with the same state', async () => {
    const { peers } = await net.agreed(4, 2)
    expect(new Set(peers.map(({ state_root }) => state_root)).size).toBe(1)
    expect(await read('iso', 'status', 'PAY-2026-000001')).toMatchObject({ pacs002_code: 'ACSC', amount: '1250' })
  })
})

describe('a validator that is killed while payments continue', () => {
  it('loses no acknowledged payment, and catches up with its configuration', async () => {
    const before = await balanceOf(first, 'bob@bank')
    let acknowledged = 0
    let paying = true
    const payments = (async () => {
      while (paying) {
        await pay('0.5')
        acknowledged += 1
      }
    })()
    await until('a payment', async () => (acknowledged > 0 ? true : undefined))
    await net.kill('val-3')
    const atKill = acknowledged
    await until('payments without it', async () => (acknowledged >= atKill + 2 ? true : undefined))
    const config = join(net.folder, 'val-3', 'node.toml')
    const admin = formatPublicKey((await readKeyFile(net.keyFile('admin'))).publicKey)
    const text = await readFile(config, 'utf8')
    const changed = text
      .replace(/^#(endpoint = )".*"$/m, `$1"${outsideUrl}/v1/traces"`)
      .replace('operator_keys = []', `operator_keys = [ "${admin}" ]`)
    expect(changed).toContain(outsideUrl)
    expect(changed).toContain(admin)
    await writeFile(config, changed)
    const up = await net.up('--only', 'val-3')
    expect(up.code, up.stdout + up.stderr).toBe(0)
    paying = false
    await payments
    const { peers } = await net.agreed()
    expect(new Set(peers.map(({ state_root }) => state_root)).size).toBe(1)
    for (const gateway of net.gateways)
      expect(await balanceOf(gateway, 'bob@bank'), gateway).toBe(before + acknowledged / 2)
  })
})

/** Test of each feature, by its name in `src/features/schemas.ts`. */
const STORIES: Readonly<Record<keyof typeof features, () => Promise<void>>> = {
  accounts: async () => {
    const key = join(net.root, 'dora.json')
    const { address } = await read('key', 'generate', '--out', key)
    await as('admin', 'account', 'register', String(address), '--domain', 'bank', '--label', 'dora')
    await shown('/v1/accounts/dora@bank', { id: address })
  },
  assets: async () => {
    await as('admin', 'asset', 'register', 'gold#bank', '--scale', '2')
    await as('admin', 'asset', 'mint', 'gold#bank', '--amount', '10.25', '--to', 'alice@bank')
    await as('alice', 'asset', 'transfer', '--to', 'bob@bank', '--asset', 'gold#bank', '--amount', '0.25')
    await shown('/v1/assets/definitions/gold%23bank', { total_quantity: '10.25' })
    await until('the balance at the other gateway', async () =>
      (await balanceOf(other, 'bob@bank', 'gold#bank')) === 0.25 ? true : undefined,
    )
  },
  conference: async () => {
    await as('alice', 'conference', 'create', 'bank:desk', '--title', 'Desk')
    await as('bob', 'conference', 'join', 'bank:desk')
    await as('alice', 'conference', 'end', 'bank:desk')
    await shown('/v1/conference/calls/bank:desk', { call: { status: 'Ended' } })
  },
  contracts: async () => {
    await read('contract', 'create', 'token', '--template', 'token')
    await as('admin', 'contract', 'deploy', 'token', '--alias', 'token@bank', '--args', '{"digits":2,"initial":"1000"}')
    const bob = await addressOf('bob@bank')
    const transfer = JSON.stringify({ to: bob, amount: '2.5' })
    await as('admin', 'contract', 'call', 'token@bank', 'transfer', '--args', transfer)
    const words = ['contract', 'view', 'token@bank', 'balanceOf', '--args', JSON.stringify({ account: bob })]
    await until('the balance of the contract at the other gateway', async () =>
      (await read(...words, '--gateway', other)).result === '2.5' ? true : undefined,
    )
  },
  domains: async () => {
    await as('admin', 'domain', 'register', 'shop')
    await shown('/v1/domains/shop', { id: 'shop' })
    await as('admin', 'domain', 'unregister', 'shop')
    expect((await fetch(`${first}/v1/domains/shop`)).status).toBe(404)
  },
  explorer: async () => {
    const { hash } = await pay('1')
    await shown(`/v1/explorer/transactions/${hash}`, { hash })
    await shown('/v1/explorer/payments?account=alice@bank', { items: [{ outcome: 'Approved' }] })
  },
  fees: async () => {
    const { hash } = await as(
      'alice',
      'account',
      'sponsor',
      '--account',
      'bob@bank',
      '--per-tx',
      '1',
      '--per-day',
      '20',
    )
    await shown(`/v1/explorer/transactions/${hash}`, { hash })
    await as('alice', 'account', 'sponsor', '--account', 'bob@bank', '--end')
    expect((await fetch(`${first}/v1/parameters`)).status).toBe(200)
  },
  gov: async () => {
    await as('admin', 'asset', 'register', 'vote#bank', '--scale', '0')
    await as('admin', 'asset', 'mint', 'vote#bank', '--amount', '100', '--to', 'alice@bank')
    const periods = { lead_ms: 0, voting_ms: 60_000, late_ms: 0, timelock_ms: 1_000, grace_ms: 60_000, step_ms: 60_000 }
    const rules = { quorum_bps: 1_000, approval_bps: 5_000, early: false, deposit: null, min_lock: null, places: 16 }
    const electorate = { Asset: { definition: 'vote#bank' } }
    const track = { name: 'main', scope: ['*'], electorate, ...rules, ...periods }
    const founding = await file('governance.json', { domain: 'bank', tracks: [{ id: 0, track }], veto_bps: null })
    await as('admin', 'gov', 'found', founding)
    const { status } = (await read('gov', 'status')) as { status: { account: string } }
    await as('admin', 'permission', 'grant', 'CanSetParameters', '--to', status.account)
    await as('alice', 'gov', 'lock', '100', '--asset', 'vote#bank')
    await as('alice', 'gov', 'propose', '--track', '0', '--title', 'Units', '--set', 'gov_enact_teu=40000')
    await as('alice', 'gov', 'vote', '1', 'aye', '--amount', '60', '--conviction', '2')
    await shown('/v1/gov/tally/1', { status: 'Voting', ayes: '60', aye: '1200', is_quorate: true, is_approved: true })
    const tiny = ['gov', 'propose', '--track', '0', '--title', 'Tiny', '--set', 'max_tx_bytes=1024', '--json']
    const refused = await net.cli(...tiny, '--key-file', net.keyFile('alice'))
    expect([refused.code, refused.json()]).toMatchObject([6, { error: { code: 'below_floor' } }])
  },
  iso20022: async () => {
    for (const [iban, account] of [
      [PARTIES.debtorIban, 'alice@bank'],
      [PARTIES.creditorIban, 'bob@bank'],
    ] as const)
      await as('admin', 'iso', 'bind', 'iban', iban, '--account', account)
    await as('admin', 'iso', 'submitter', 'set', 'bridge@bank', '--bic', PARTIES.debtorBic, '--domain', 'bank')
    const before = await balanceOf(first, 'bob@bank')
    const submitted = await read('iso', 'submit', 'pacs008', await messageFile(net.root), '--wait', 'committed')
    expect(submitted).toMatchObject({ pacs002_code: 'ACSC', replayed: false })
    await shown('/v1/iso20022/status/E2E-1', { pacs002_code: 'ACSC', transaction_hash: submitted.transaction_hash })
    const again = (await post(other, await message())) as { status: number; json: IsoRecord }
    expect(again).toMatchObject({ status: 200, json: { replayed: true } })
    expect(await balanceOf(first, 'bob@bank')).toBe(before + 10.01)
  },
  lanes: async () => {
    await shown('/v1/lanes', { items: [{ lane: { alias: 'default' } }] })
    const instruction = await file('log.json', { Log: { level: 'Info', text: 'routed' } })
    expect(await read('lane', 'route', 'explain', instruction, '--account', 'alice@bank')).toMatchObject({ lane_id: 0 })
  },
  metadata: async () => {
    await as('alice', 'metadata', 'set', 'alice@bank', 'tier', 'gold')
    await shown('/v1/accounts/alice@bank', { metadata: { tier: 'gold' } })
  },
  ministry: async () => {
    const blank = { language: 'en', motivation: 'Why', impact: 'What', tags: [], evidence: [] }
    const hash = '5f'.repeat(32)
    const targets = [{ label: 'sample', family: 'Sha256', hash, reason: 'malware' }]
    const agenda = await file('agenda.json', { ...blank, action: 'AddToDenylist', title: 'Sample', targets })
    await as('alice', 'ministry', 'submit', agenda)
    await shown('/v1/ministry/agenda/proposals?status=open', {
      items: [{ status: 'Open', content: { title: 'Sample' } }],
    })
    expect(await read('ministry', 'check', `sha256:${hash}`)).toMatchObject({ is_denied: false })
  },
  multisig: async () => {
    const members = ['--member', 'alice@bank', '--member', 'bob@bank', '--quorum', '2']
    await as('admin', 'multisig', 'create', ...members, '--domain', 'bank', '--label', 'pair')
    const log = await file('agreed.json', [{ Log: { level: 'Info', text: 'agreed' } }])
    await as('alice', 'multisig', 'propose', 'pair@bank', log)
    const { open } = (await as('alice', 'multisig', 'show', 'pair@bank')) as { open: { proposal: string }[] }
    await as('bob', 'multisig', 'approve', 'pair@bank', open[0]?.proposal ?? '')
    expect(await as('alice', 'multisig', 'show', 'pair@bank')).toMatchObject({ open: [] })
  },
  names: async () => {
    await as('admin', 'name', 'policy', 'set', 'bank', '--mode', 'leased', '--asset', 'eur#bank', '--price', '9,6,3')
    await as('alice', 'name', 'register', 'cash-desk@bank', '--yes')
    await as('alice', 'name', 'sub', 'create', 'pay.cash-desk@bank', '--account', 'bob@bank')
    const bob = await addressOf('bob@bank')
    await shown('/v1/names/pay.cash-desk@bank', { standing: 'active', account: bob })
    const proof = join(net.root, 'name.json')
    const { height } = await read('name', 'resolve', 'pay.cash-desk@bank', '--proof', proof)
    const { genesis_hash: hash } = JSON.parse(await readFile(join(net.folder, 'localnet.json'), 'utf8')) as Answer
    const proven = await read('name', 'verify', proof, '--genesis-hash', String(hash), '--max-age', '10m')
    expect([Number(proven.height) >= Number(height), proven.account_id]).toEqual([true, bob])
    const alias = { text: 'pay.cash-desk@bank', target: { Account: bob } }
    const asserted = await file('asserted.json', [{ AssertAliases: { items: [alias] } }])
    await as('alice', 'tx', 'send', asserted)
    await as('alice', 'name', 'set-account', 'pay.cash-desk@bank', '--account', 'alice@bank')
    const refused = await net.cli('tx', 'send', asserted, '--json', '--key-file', net.keyFile('alice'))
    expect(refused.json()).toMatchObject({ error: { code: 'alias_moved' } })
  },
  nfts: async () => {
    await as('admin', 'nft', 'register', 'deed$bank', '--meta', 'parcel=17')
    await as('admin', 'nft', 'transfer', 'deed$bank', '--to', 'alice@bank')
    await shown('/v1/nfts/deed%24bank', { owned_by: await addressOf('alice@bank'), content: { parcel: 17 } })
  },
  notify: async () => {
    const browser = new PushBrowser(`${outsideUrl}/push/1`)
    const client = new CausewayClient({ gateway: first, signer: await readKeyFile(net.keyFile('bob')) })
    const body = { platform: 'webpush' as const, subscription: browser.subscription, token: undefined }
    await client.route(routes.notify.register, { body: { ...body, topics: ['incoming'] } })
    await client.close()
    await pay('4.5')
    const { body: pushed } = await receivedAt('/push/1')
    expect(JSON.parse(browser.read(pushed))).toMatchObject({ type: 'incoming', amount: '4.5' })
  },
  parameters: async () => {
    await as('admin', 'parameter', 'set', 'block_teu', '120000')
    const { items } = await getJson<{ items: { name: string; value: unknown }[] }>(first, '/v1/parameters')
    expect(items.find(({ name }) => name === 'block_teu')?.value).toBe(120_000)
  },
  passkeys: async () => {
    const operator = ['--gateway', net.gateways[3] ?? '']
    expect(await as('admin', 'operator', 'passkey', 'add', '--label', 'laptop', ...operator)).toMatchObject({
      url: expect.stringContaining('/explorer/'),
    })
    expect(await as('admin', 'operator', 'passkey', 'list', ...operator)).toMatchObject({ items: [] })
    const refused = await net.cli(
      'operator',
      'passkey',
      'list',
      '--json',
      '--key-file',
      net.keyFile('bob'),
      ...operator,
    )
    expect(refused.json()).toMatchObject({ error: { code: 'forbidden' } })
  },
  peers: async () => {
    const { items, self } = (await read('peer', 'list')) as { items: unknown[]; self: { role: string } }
    expect([items.length, self.role]).toEqual([3, 'Validator'])
    const sets = await getJson<{ items: { roster: unknown[] }[] }>(other, '/v1/consensus/validator-sets')
    expect(sets.items[0]?.roster).toHaveLength(4)
  },
  permissions: async () => {
    await as('admin', 'role', 'register', 'clerk', '--manager', 'bob@bank')
    await as('bob', 'role', 'grant', 'clerk', '--to', 'alice@bank')
    const { roles } = (await as('alice', 'account', 'permissions', 'alice@bank')) as {
      roles: { id: string }[]
    }
    expect(roles.map(({ id }) => id)).toContain('clerk')
  },
  registry: async () => {
    const archive = join(net.root, 'kit.tgz')
    await writeFile(archive, 'hello')
    await as('admin', 'registry', 'create', 'bank/kit')
    await as('admin', 'registry', 'publish', 'bank/kit', '1.0.0', archive, '--license', 'MIT')
    await shown('/v1/registry/resolve?package=bank%2Fkit&range=%5E1.0', { version: '1.0.0' })
    expect(await read('registry', 'verify', archive, 'bank/kit@1.0.0')).toMatchObject({ valid: true })
  },
  rpc: async () => {
    const { items } = (await read('rpc', 'ledger.domains', '{"limit": 2}')) as { items: { id: string }[] }
    expect(items.map(({ id }) => id)).toContain('bank')
  },
  repo: async () => {
    await as('admin', 'repo', 'calendar', 'set', 'desk', '--cutoff', '18:00')
    const terms = ['--cash', '100 eur#bank', '--collateral', '120 usd#bank', '--haircut', '2%', '--until', 'next']
    const sides = ['--buyer', 'bob@bank', '--poster', 'bob@bank', '--calendar', 'desk']
    await as('alice', 'repo', 'propose', 'R1', ...sides, ...terms)
    await as('bob', 'repo', 'consent', 'R1')
    await shown('/v1/repo/agreements?party=alice@bank&reference=R1', { items: [{ status: 'Open' }] })
  },
  rwas: async () => {
    await as('admin', 'rwa', 'class', 'register', 'bars#bank', '--unit', 'kg', '--scale', '2')
    await as('admin', 'rwa', 'issue', 'bars#bank', '--to', 'alice@bank', '--quantity', '10')
    await as('alice', 'rwa', 'transfer', 'bars#bank/1', '--to', 'bob@bank', '--quantity', '2.5')
    await shown('/v1/rwas/bars%23bank/2', { holder: await addressOf('bob@bank'), quantity: '2.5' })
  },
  spaces: async () => {
    await as('admin', 'lane', 'dataspace', 'create', '7', '--alias', 'depot', '--restricted')
    await as('admin', 'permission', 'grant', 'CanPublishManifests:7', '--to', 'admin@bank')
    const entries = [{ scope: { instruction: 'asset::transfer' }, effect: { Allow: {} } }]
    const manifest = await file('guest.json', { dataspace: '7', account: 'alice@bank', entries })
    await as('admin', 'space', 'publish', manifest)
    await shown('/v1/space-directory/manifests/7/alice@bank', { status: 'Active', version: 1 })
    await as('admin', 'space', 'revoke', '7', 'alice@bank', '--reason', 'done')
    await shown('/v1/space-directory/accounts/alice@bank', { items: [{ dataspace: '7', status: 'Revoked' }] })
  },
  staking: async () => {
    await as('admin', 'parameter', 'set', 'stake_asset', 'eur#bank')
    await as('alice', 'staking', 'bond', '5')
    const alice = await addressOf('alice@bank')
    await shown(`/v1/accounts/${alice}/stake`, { stake: { bonded: '5' } })
  },
  subscriptions: async () => {
    await as('bob', 'subscription', 'plan', 'create', 'news', '--every', '30d', '--amount', '0.25 eur#bank')
    await as('alice', 'subscription', 'create', 'bob@bank/news', '--max', '0.25 eur#bank')
    const { items } = (await read('subscription', 'list', '--account', 'alice@bank')) as { items: { id: string }[] }
    const id = items[0]?.id
    const paid = {
      subscription: { status: 'Active', spent: '0.25' },
      invoice: { invoice: { number: 1 } },
      entitled: true,
    }
    await shown(`/v1/subscriptions/${id}`, paid)
    await as('alice', 'subscription', 'cancel', 'bob@bank/news')
    await shown(`/v1/subscriptions/${id}`, { subscription: { status: 'Canceled' }, entitled: false })
  },
  telemetry: async () => {
    await until('links to three peers', async () => {
      const { items } = (await read('telemetry', 'peers')) as { items: { source: string; connected: boolean }[] }
      return items.filter(({ source, connected }) => source === 'Link' && connected).length === 3 ? true : undefined
    })
  },
  traces: async () => {
    const { hash } = await pay('1', net.gateways[3])
    const { body } = await receivedAt('/v1/traces', (spans) => spans.includes(String(hash)))
    expect(body.toString()).toContain('queue to block')
  },
  triggers: async () => {
    const tick = await file('tick.json', { Log: { level: 'Info', text: 'tick' } })
    await as('bob', 'trigger', 'register', 'tick', tick, '--every', '500ms', '--repeats', '2')
    await until('both runs', async () => ((await fetch(`${first}/v1/triggers/tick`)).status === 404 ? true : undefined))
  },
  upgrades: async () => {
    const active = (await read('runtime', 'abi')) as { abi_version: number; abi_hash: string }
    const { items } = (await read('runtime', 'abis', '--gateway', other)) as { items: Answer[] }
    expect(items.at(-1)).toEqual({ abi_version: active.abi_version, abi_hash: active.abi_hash })
  },
  webhooks: async () => {
    const secretFile = join(net.root, 'hook.secret')
    const words = [
      'webhook',
      'create',
      `${outsideUrl}/hook`,
      '--filter',
      'kind=Transferred',
      '--secret-out',
      secretFile,
    ]
    await as('alice', ...words)
    const { hash } = await pay('2.25')
    const { headers, body } = await receivedAt('/hook', (event) => event.includes(String(hash)))
    const secret = (await readFile(secretFile, 'utf8')).trim()
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>)
  },
  zk: async () => {
    await as('admin', 'zk', 'vk', 'register', 'second-roster', '--circuit', 'conference-roster-v1')
    await shown('/v1/zk/vk/sigma-ristretto255/second-roster', { key: { circuit_id: 'conference-roster-v1' } })
  },
}

describe('a feature on four processes', () => {
  it.each(Object.keys(features) as (keyof typeof features)[])(
    '%s works through one gateway and is visible at another',
    (name) => STORIES[name](),
  )

  it('the explorer opens in a browser and shows the last block of the chain', needs(BROWSER_MISSING), async () => {
    const browser = await openBrowser()
    try {
      const { context, noted } = await lookAt(browser)
      const page = await context.newPage()
      await page.goto(`${first}/explorer/`)
      await page.locator('.link').getByText('Live').waitFor()
      const heightShown = async () => Number((await page.locator('.link b').textContent())?.replaceAll(',', ''))
      const before = await heightShown()
      await pay('1')
      await until('a higher head', async () => ((await heightShown()) > before ? true : undefined))
      expect(await inPage(page, 'document.title')).toContain('Causeway')
      expect(noted.faults).toEqual([])
    } finally {
      await browser.close()
    }
  })

  it('leaves the same state on all four processes', async () => {
    const { peers } = await net.agreed()
    expect(new Set(peers.map(({ state_root }) => state_root)).size).toBe(1)
  })
})
