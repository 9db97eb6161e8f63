/**
 * Finance on processes: a delivery against payment and its messages by command, and a repurchase and charges that fall due while every
 * node is killed again and again.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { TEST_MS } from '../support/ports.js'
import { getJson, pause, TestNet, until } from './localnet.js'

/** Kills of all nodes while the runs fall due, at most: 5 s apart, so that they cover the cut-off and two charges. */
const KILLS_MAX = 40
/** Time of the network between its kills, in ms: enough to commit a few blocks. */
const RUNNING_MS = 5_000
/** Charges after which the test ends. */
const CHARGES = 3

vi.setConfig({ testTimeout: TEST_MS + KILLS_MAX * 4 * RUNNING_MS })

let net: TestNet
beforeAll(async () => {
  net = await TestNet.start()
  await as('admin', 'rwa', 'class', 'register', 'gold#bank', '--unit', 'g', '--scale', '2', '--isin', 'DE000A0S9GB0')
  await as('admin', 'rwa', 'issue', 'gold#bank', '--to', 'alice@bank', '--quantity', '1600')
})
afterAll(() => TestNet.closeAll())

async function result(...words: readonly string[]): Promise<unknown> {
  const run = await net.cli(...words, '--json')
  expect(run.code, `${words.join(' ')}: ${run.stdout}${run.stderr}`).toBe(0)
  return run.json()
}
const as = (account: string, ...words: readonly string[]): Promise<unknown> =>
  result(...words, '--yes', '--key-file', net.keyFile(account))
const gateway = (): string => net.gateways[0] ?? ''

/** Balance of an account in euros, as one gateway shows it. */
async function eurosOf(at: string, account: string): Promise<number> {
  const { balances } = await getJson<{ balances: { definition: string; amount: string }[] }>(
    at,
    `/v1/accounts/${account}@bank`,
  )
  return Number(balances.find(({ definition }) => definition === 'eur#bank')?.amount ?? 0)
}
const lotAt = (at: string, number: number) =>
  getJson<{ holder: string; quantity: string }>(at, `/v1/rwas/gold%23bank/${number}`)
const addressOf = async (account: string): Promise<string> =>
  (await getJson<{ id: string }>(gateway(), `/v1/accounts/${account}@bank`)).id

it('a lot is delivered against payment once both parties agree, and the bridge reads its messages', async () => {
  const terms = [
    ...['rwa', 'settle', 'deal-7', '--lot', 'gold#bank/1', '--quantity', '100', '--from', 'alice@bank'],
    ...['--to', 'bob@bank', '--asset', 'eur#bank', '--amount', '54'],
  ]
  const alone = await net.cli(...terms, '--yes', '--json', '--key-file', net.keyFile('alice'))
  expect(alone.code).not.toBe(0)
  expect((await lotAt(gateway(), 1)).quantity).toBe('1600')

  const before = await Promise.all(['alice', 'bob'].map((account) => eurosOf(gateway(), account)))
  await as('bob', ...terms, '--agree', 'alice@bank')
  const { hash } = (await as('alice', ...terms)) as { hash: string }
  const after = await Promise.all(['alice', 'bob'].map((account) => eurosOf(gateway(), account)))
  expect(after).toEqual([(before[0] ?? 0) + 54, (before[1] ?? 0) - 54])
  expect(await lotAt(gateway(), 2)).toMatchObject({ holder: await addressOf('bob'), quantity: '100' })
  const again = await net.cli(...terms, '--yes', '--json', '--key-file', net.keyFile('alice'))
  expect(again.code, again.stdout).not.toBe(0)

  const parties = [
    ...['--seller-bic', 'DEUTDEFFXXX', '--seller-iban', 'DE75512108001245126199'],
    ...['--buyer-bic', 'AGRIFRPPXXX', '--buyer-iban', 'FR7630006000011234567890189', '--currency', 'EUR'],
  ]
  for (const family of ['sese.023', 'sese.025']) {
    const { message } = (await result('rwa', 'message', hash, '--family', family, ...parties)) as { message: string }
    const file = join(net.root, `${family}.txt`)
    await writeFile(file, message)
    await result('iso', 'validate', file)
  }
  const swapped = parties.map((value) => (value === 'DE75512108001245126199' ? 'FR7630006000011234567890189' : value))
  const refused = await net.cli('rwa', 'message', hash, ...swapped, '--json')
  expect(refused.json()).toMatchObject({ error: { code: 'iso_unmapped' } })
})

it('a class, a plan and an agreement are made from the templates of the package', async () => {
  const template = (name: string): string => join(process.cwd(), 'templates', 'finance', `${name}.json`)
  await as('admin', 'rwa', 'class', 'register', 'silver#bank', '--from', template('class'))
  expect(await getJson(gateway(), '/v1/rwas/classes/silver%23bank')).toMatchObject({ unit: 'g', scale: 2 })
  await as('bob', 'subscription', 'plan', 'create', 'storage', '--from', template('plan'))
  const plans = await getJson<{ items: { plan: string }[] }>(gateway(), '/v1/subscriptions/plans?provider=bob@bank')
  expect(plans.items.map(({ plan }) => plan)).toContain('storage')
  await as('admin', 'repo', 'calendar', 'set', 'demo', '--cutoff', '18:00')
  await as('alice', 'repo', 'propose', 'T1', '--from', template('agreement'))
  const { items } = await getJson<{ items: { status: string }[] }>(
    gateway(),
    '/v1/repo/agreements?party=alice@bank&reference=T1',
  )
  expect(items).toMatchObject([{ status: 'Proposed' }])
  await as('alice', 'repo', 'withdraw', 'T1')
})

it('a repurchase and charges that fall due while all nodes are killed are executed exactly once', async () => {
  await as('admin', 'repo', 'calendar', 'set', 'demo', '--cutoff', '+2m')
  const sides = ['--buyer', 'bob@bank', '--poster', 'bob@bank', '--calendar', 'demo', '--until', 'next']
  const loan = ['--cash', '9000 eur#bank', '--lot', 'gold#bank/1', '--haircut', '2%', '--rate', '3.65%']
  const before = await eurosOf(gateway(), 'alice')
  await as('alice', 'repo', 'propose', 'R1', ...sides, ...loan)
  await as('bob', 'repo', 'consent', 'R1')
  await as('bob', 'subscription', 'plan', 'create', 'news', '--every', '1m', '--amount', '1 eur#bank')
  await as('alice', 'asset', 'transfer', '--to', 'carol@bank', '--asset', 'eur#bank', '--amount', '10')
  const carol = await eurosOf(gateway(), 'carol')
  await as('carol', 'subscription', 'create', 'bob@bank/news', '--max', '1 eur#bank')

  const agreements = (at: string) =>
    getJson<{ items: { status: string }[] }>(at, '/v1/repo/agreements?party=alice@bank&reference=R1')
  const subscriptions = (at: string) =>
    getJson<{ items: { id: string; spent: string }[] }>(at, '/v1/subscriptions?owned_by=carol@bank')
  let kills = 0
  for (let isOver = false; !isOver && kills < KILLS_MAX; kills += 1) {
    await pause(RUNNING_MS)
    await net.kill()
    const run = await net.up()
    expect(run.code, run.stdout + run.stderr).toBe(0)
    const [agreement, subscription] = [await agreements(gateway()), await subscriptions(gateway())]
    isOver = agreement.items[0]?.status === 'Closed' && Number(subscription.items[0]?.spent) >= CHARGES
  }
  expect(kills).toBeGreaterThan(2)
  // Charges end here, so that the nodes are compared at one state.
  await as('carol', 'subscription', 'cancel', 'bob@bank/news')
  await net.agreed(4)
  const charged = Number((await subscriptions(gateway())).items[0]?.spent)
  expect(charged).toBeGreaterThanOrEqual(CHARGES)
  for (const at of net.gateways) {
    await until(`${at} shows the closed agreement`, async () =>
      (await agreements(at)).items[0]?.status === 'Closed' ? true : undefined,
    )
    const { items } = await subscriptions(at)
    expect(items.map((one) => one.spent)).toEqual([String(charged)])
    const invoices = await getJson<{ items: { invoice: { number: number } }[] }>(
      at,
      `/v1/subscriptions/${items[0]?.id}/invoices`,
    )
    expect(invoices.items.map(({ invoice }) => Number(invoice.number)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: charged }, (_, index) => index + 1),
    )
    expect(await eurosOf(at, 'carol')).toBe(carol - charged)
    // One day of interest (act360) at 3.65 % of 9,000 euros is 0.91; 10 euros went to Carol.
    expect(Math.round((await eurosOf(at, 'alice')) * 100)).toBe(Math.round((before - 10 - 0.91) * 100))
    expect(await lotAt(at, 1)).toMatchObject({ holder: await addressOf('alice'), quantity: '1500' })
  }
})

it('payments of a closed agreement have notifications for the bridge, but steps without cash do not', async () => {
  const iban = { seller: 'DE75512108001245126199', buyer: 'FR7630006000011234567890189' }
  const message = (leg: string, side: 'seller' | 'buyer', account = iban[side], currency = 'EUR') => {
    const flags = ['--leg', leg, '--side', side, '--iban', account, '--currency', currency]
    return net.cli('repo', 'message', 'R1', ...flags, '--json')
  }
  const entries = [
    ['opening', 'seller', '9000', 'CRDT'],
    ['opening', 'buyer', '9000', 'DBIT'],
    ['repurchase', 'seller', '9000.91', 'DBIT'],
    ['repurchase', 'buyer', '9000.91', 'CRDT'],
  ] as const
  for (const [leg, side, amount, direction] of entries) {
    const run = await message(leg, side)
    expect(run.code, run.stdout).toBe(0)
    const written = String(run.json().message)
    expect(written.split('\n')).toEqual(
      expect.arrayContaining([`Ntfctn[1]/Ntry[1]/Amt=${amount}`, `Ntfctn[1]/Ntry[1]/CdtDbtInd=${direction}`]),
    )
    const file = join(net.root, `${leg}-${side}.txt`)
    await writeFile(file, written)
    await result('iso', 'validate', file)
  }
  const refusals = [
    [await message('margin', 'seller'), 'moved no cash'],
    [await message('margin', 'buyer'), 'the buyer has no entry'],
    [await message('opening', 'seller', iban.buyer), 'is not bound'],
    [await message('opening', 'seller', iban.seller, 'USD'), 'is not bound'],
    [await net.cli('repo', 'message', 'R1', '--json'), 'the IBAN of the account, the currency of the cash is missing'],
  ] as const
  for (const [refused, why] of refusals) {
    expect(refused.json()).toMatchObject({ error: { code: 'iso_unmapped', message: expect.stringContaining(why) } })
  }
})

it('paid charges and income have notifications for the bridge, but unpaid ones do not', async () => {
  const [alice, bob] = ['DE75512108001245126199', 'FR7630006000011234567890189']
  await as('alice', 'asset', 'transfer', '--to', 'admin@bank', '--asset', 'eur#bank', '--amount', '32')
  const { hash: declared } = (await as(
    'admin',
    ...['rwa', 'income', 'declare', 'gold#bank', '--cash', 'eur#bank', '--amount', '32'],
  )) as { hash: string }
  const claim = ['rwa', 'income', 'claim', 'gold#bank', '--lot', 'gold#bank/1', '--lot', 'gold#bank/2']
  const { hash: claimed } = (await as('admin', ...claim)) as { hash: string }
  const charge = ['subscription', 'message', 'bob@bank/news', '--account', 'carol@bank', '--currency', 'EUR']
  const income = (hash: string, account: string, iban: string) =>
    net.cli(
      ...['rwa', 'income', 'message', hash, '--account', `${account}@bank`],
      ...['--iban', iban, '--currency', 'EUR', '--json'],
    )
  const entries = [
    ['charge', '1', await net.cli(...charge, '--side', 'provider', '--iban', bob, '--invoice', '2', '--json')],
    ['last-charge', '1', await net.cli(...charge, '--side', 'provider', '--iban', bob, '--json')],
    ['income-alice', '30', await income(claimed, 'alice', alice)],
    ['income-bob', '2', await income(claimed, 'bob', bob)],
  ] as const
  for (const [name, amount, run] of entries) {
    expect(run.code, run.stdout).toBe(0)
    const written = String(run.json().message)
    expect(written.split('\n')).toEqual(
      expect.arrayContaining([`Ntfctn[1]/Ntry[1]/Amt=${amount}`, 'Ntfctn[1]/Ntry[1]/CdtDbtInd=CRDT']),
    )
    const file = join(net.root, `${name}.txt`)
    await writeFile(file, written)
    await result('iso', 'validate', file)
  }
  const refusals = [
    [await net.cli(...charge, '--iban', bob, '--json'), 'is not bound'],
    [await net.cli(...charge, '--side', 'provider', '--iban', bob, '--invoice', '999', '--json'), 'does not exist'],
    [await net.cli(...charge, '--json'), 'the IBAN of the account is missing'],
    [await income(declared, 'alice', alice), 'has no payment between'],
    [await income(claimed, 'alice', bob), 'is not bound'],
    [await income(declared, 'admin', alice), 'is not bound'],
  ] as const
  for (const [refused, why] of refusals) {
    expect(refused.json()).toMatchObject({ error: { code: 'iso_unmapped', message: expect.stringContaining(why) } })
  }
})
