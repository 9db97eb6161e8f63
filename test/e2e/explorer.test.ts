/**
 * The web explorer in a real browser, on processes: every page, the chain as it grows, a node that is killed, a chain that stalls,
 * names that want to be markup. Skipped where there is no Chromium. `CAUSEWAY_SCREENSHOTS` names a folder for pictures of the docs.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BROWSER_MISSING } from '../support/browser.js'
import { bulkMessage } from '../support/bulk-messages.js'
import { accessibilityFaults, inPage, lookAt, type Noted, openBrowser } from '../support/looking.js'
import { needs } from '../support/needs.js'
import { getJson, TestNet, until } from './localnet.js'
import { TODAY } from './messages.js'

const MESSAGE = 'LOOK-FOR-ME/1'
/** A message of several payments, more than fit on one page; the second one pays an unregistered account. */
const BULK = 'LOOK-FOR-MANY'
const BULK_PAYMENTS = 103
/** End-to-end id of the template. */
const END_TO_END_ID = 'INVOICE-4711'
const HOSTILE = '<img src=x onerror="document.title=1">\u202egpj.exe'
const PICTURES = process.env.CAUSEWAY_SCREENSHOTS

let net: TestNet
let node: string
/** UETR of the payment: a new one in each template. */
let uetr: string
let hash: string

const run = async (...words: string[]): Promise<void> => {
  const done = await net.cli(...words)
  if (done.code !== 0) throw new Error(done.stdout + done.stderr)
}
/** A payment through another node than the one that is looked at. */
const pay = (amount = '1'): Promise<void> => {
  const words = ['asset', 'transfer', '--to', 'bob@bank', '--asset', 'eur#bank', '--amount', amount, '--yes']
  return run(...words, '--key-file', net.keyFile('alice'), '--gateway', net.gateways[1] ?? '')
}
const heightNow = async (): Promise<number> => (await net.status()).height ?? 0

beforeAll(async () => {
  net = await TestNet.start()
  node = net.gateways[0] ?? ''
  await pay()
  const template = (await net.cli('iso', 'template', 'pacs008')).stdout
  uetr = /<UETR>([^<]+)</.exec(template)?.[1] ?? ''
  const message = join(net.root, 'payment.xml')
  await writeFile(message, template.replace(/<MsgId>[^<]*</, `<MsgId>${MESSAGE}<`))
  await run('iso', 'submit', 'pacs008', message, '--watch')
  const admin = ['--key-file', net.keyFile('admin'), '--yes']
  await run('metadata', 'set', 'licence$bank', 'note', JSON.stringify(HOSTILE), ...admin)
  await run('ledger', 'log', HOSTILE, ...admin)
  const { items } = await getJson<{ items: { hash: string }[] }>(node, '/v1/explorer/transactions?limit=1')
  hash = items[0]?.hash ?? ''
})
afterAll(() => TestNet.closeAll())

const PAGES = (): string[] => [
  'overview',
  'blocks',
  'block/2',
  'transactions',
  `transaction/${hash}`,
  'accounts',
  'account/alice%40bank',
  'assets',
  'asset/eur%23bank',
  'nfts',
  'nft/licence%24bank',
  'payments',
  `payment/${encodeURIComponent(MESSAGE)}`,
  `payment/${BULK}`,
  'consensus',
  'lanes',
  'validators',
  'calls',
  'governance',
]

describe('reads of the explorer over HTTP', () => {
  const refusal = async (path: string): Promise<[number, string]> => {
    const answer = await fetch(`${node}${path}`)
    return [answer.status, ((await answer.json()) as { code?: string }).code ?? '']
  }
  it('return bounded ranges, and refuse unbounded ones', async () => {
    interface Figures {
      readonly points: readonly { readonly value: number }[]
    }
    const all = await getJson<Figures>(node, '/v1/explorer/series?metric=transactions&from_ms=0')
    expect(all.points.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThanOrEqual(4)
    const far = await getJson<Figures>(
      node,
      `/v1/explorer/series?metric=teu&to_ms=${Number.MAX_SAFE_INTEGER}&points=500`,
    )
    expect(far.points.length).toBeLessThanOrEqual(500)
    const bad = ['points=0', 'points=501', 'points=1000000000', 'from_ms=5&to_ms=5', 'from_ms=9&to_ms=5', 'from_ms=-1']
    for (const query of [...bad, 'from_ms=99999999999999', 'from_ms=1e400', 'points=', 'to_ms=0'])
      expect([query, ...(await refusal(`/v1/explorer/series?metric=blocks&${query}`))]).toEqual([
        query,
        400,
        'validation_failed',
      ])
    for (const query of ['', 'metric=fees', `metric=${'x'.repeat(9_000)}`, 'metric=blocks&metric=teu'])
      expect((await refusal(`/v1/explorer/series?${query}`))[0], query.slice(0, 40)).toBe(400)
  })

  it('return payments by submitter and by payer or payee, without other payments', async () => {
    interface Payments {
      readonly items: readonly { readonly message_id: string; readonly outcome: string; readonly height: number }[]
    }
    const idsOf = async (query: string): Promise<string[]> =>
      (await getJson<Payments>(node, `/v1/explorer/payments${query}`)).items.map((one) => one.message_id)
    const references = ['?reference=invoice-4711', `?account=alice@bank&reference=${uetr}`]
    for (const query of [
      '',
      '?submitter=bridge@bank',
      '?account=alice@bank',
      '?account=bob@bank&limit=1',
      ...references,
    ])
      expect([query, await idsOf(query)]).toEqual([query, [MESSAGE]])
    const others = ['?reference=INVOICE', `?account=carol@bank&reference=${uetr}`]
    for (const query of [
      '?submitter=alice@bank',
      '?account=carol@bank',
      '?submitter=bridge@bank&account=admin@bank',
      ...others,
    ])
      expect([query, await idsOf(query)]).toEqual([query, []])
    expect(await refusal('/v1/explorer/payments?account=nobody@bank')).toEqual([404, 'not_found'])
    expect(await refusal('/v1/explorer/payments?account=%00')).toEqual([400, 'validation_failed'])
    expect(await refusal('/v1/explorer/payments?cursor=AAAA')).toEqual([400, 'invalid_pagination'])
  })
})

describe('the web explorer', needs(BROWSER_MISSING), () => {
  let browser: Browser
  let context: BrowserContext
  let noted: Noted
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser()
    const payments = Array.from({ length: BULK_PAYMENTS }, () => ({ amount: '0.5' }))
    const file = join(net.root, 'many.txt')
    const [first, second] = [{ amount: '123456.78' }, { creditor: 'GB33BUKB20201555555555' }]
    const text = bulkMessage(BULK, [first, second, ...payments.slice(2)]).replace('2026-03-02', TODAY)
    await writeFile(file, text)
    // 6: one payment is refused.
    expect((await net.cli('iso', 'submit', 'pacs008', file, '--watch')).code).toBe(6)
  })
  afterAll(() => browser.close())
  afterEach(async () => {
    await context?.close()
    // In all tests: no request to another origin, no error, no policy violation.
    expect(noted.requests.filter((url) => !url.startsWith(`${node}/`))).toEqual([])
    expect(noted.faults).toEqual([])
  })

  const look = async (name: string, options: Parameters<typeof lookAt>[1] = {}): Promise<void> => {
    ;({ context, noted } = await lookAt(browser, options))
    page = await context.newPage()
    await go(name)
  }
  /** Goes to a page and waits until it has read what it shows. */
  const go = async (name: string): Promise<void> => {
    await page.goto(`${node}/explorer/#/${name}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText('Reading…').first().waitFor({ state: 'detached' })
    await page.locator('.link').getByText('Live').waitFor()
  }
  const shown = (text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor()
  const headHeight = async (tab = page): Promise<number> =>
    Number((await tab.locator('.link b').textContent())?.replaceAll(',', ''))
  const beyond = (tab: Page, height: number): Promise<true> =>
    until(`a height beyond ${height}`, async () => ((await headHeight(tab)) > height ? true : undefined))
  const focused = (property: string): Promise<string> => inPage(page, `document.activeElement.${property}`)

  it('shows each of its pages, connects only to its node, and violates no policy', async () => {
    await look('overview')
    for (const name of PAGES()) {
      await go(name)
      expect(await page.locator('main .card, main .tiles').count(), name).toBeGreaterThan(0)
      expect(await page.locator('main .notice.warn').count(), name).toBe(0)
    }
    expect(noted.requests.length).toBeGreaterThan(20)
  })

  it('follows the chain as it grows', async () => {
    await look('blocks')
    const before = await headHeight()
    await pay()
    await beyond(page, before)
    expect(Number((await page.locator('tbody tr a').first().textContent())?.replaceAll(',', ''))).toBeGreaterThan(
      before,
    )
    await go('account/bob%40bank')
    await pay('77.77')
    await shown('77.77')
  })

  it('finds a payment by the id of its message, by keyboard alone', async () => {
    await look('overview')
    await page.keyboard.press('Tab')
    expect(await focused('textContent')).toContain('Skip')
    await page.keyboard.press('Enter')
    expect(await focused('tagName')).toBe('H1')
    await page.locator('.brand').focus()
    await page.keyboard.press('Tab')
    expect(await inPage(page, 'getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await page.keyboard.type(MESSAGE)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Payment/ }).waitFor()
    await shown(/settled \(ACSC\)/)
    expect(await focused('tagName')).toBe('H1')
    for (const reference of [END_TO_END_ID, uetr.toUpperCase()]) {
      await go('overview')
      await page.getByRole('searchbox').fill(reference)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: /^Payment/ }).waitFor()
    }
    await page.getByRole('searchbox').fill('no such thing')
    await page.keyboard.press('Enter')
    await shown('No object with this id exists.')
    await page.getByRole('searchbox').fill('alice@bank')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Account/ }).waitFor()
  })

  it('shows a message of several payments with sums by status, and each payment by its position', async () => {
    await look(`payment/${BULK}`)
    await shown(`Message of ${BULK_PAYMENTS} payments`)
    await shown('partial (PART)')
    const texts = async (name: string): Promise<string[]> =>
      (await page.getByRole('region', { name }).locator('tbody tr').allInnerTexts()).map((text) =>
        text.replace(/\s+/g, ' ').trim(),
      )
    expect(await texts('Payments by status')).toEqual([
      expect.stringMatching(/settled \(ACSC\) 102 123,507\.28 EUR$/),
      expect.stringMatching(/rejected \(RJCT\) 1 10\.00 EUR$/),
    ])
    const listed = 'Payments of this message'
    // Addresses are shown until their aliases are loaded.
    await until(
      'the aliases of the payments',
      async () => (await texts(listed))[0]?.includes('alice@bank') || undefined,
    )
    expect((await texts(listed))[0]).toMatch(/^1 .*settled \(ACSC\) 123,456\.78 EUR alice@bank bob@bank .* E1$/)
    await page.getByRole('link', { name: 'RJCT' }).click()
    await until('the refused payment alone', async () => (await texts(listed)).length === 1 || undefined)
    expect((await texts(listed))[0]).toMatch(/^2 .*rejected \(RJCT\) 10\.00 EUR .*AC03/)
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await page.getByRole('link', { name: 'Next page' }).click()
    await until('the last payments', async () => (await texts(listed)).length === 3 || undefined)
    await go('payments')
    await page
      .locator('tr', { hasText: `${BULK_PAYMENTS} of ${BULK_PAYMENTS}` })
      .getByRole('link', { name: BULK })
      .click()
    await shown(`Message of ${BULK_PAYMENTS} payments`)
  })

  it('shows whole amounts of many payments in a window of 390 pixels', async () => {
    await look(`payment/${BULK}`, { width: 390 })
    await shown('123,456.78')
    const boxes = `[...document.querySelectorAll('main .amount')].map((one) => one.getBoundingClientRect())`
    expect(await inPage(page, `${boxes}.length`)).toBeGreaterThan(100)
    expect(await inPage(page, `${boxes}.filter(({ left, right }) => left < 0 || right > innerWidth).length`)).toBe(0)
  })

  it('shows the committee with its votes', async () => {
    await look('consensus')
    await shown(/was committed in view \d+ by [34] of 4 votes; 3 were needed/)
    const rows = page.locator('tbody tr', { hasText: /proposer|member/ })
    await until('a row for each seat', async () => (await rows.count()) === 4 || undefined)
    const given = page.locator('.seats .given')
    await until('seats of a quorum with their votes', async () => (await given.count()) >= 3 || undefined)
    await shown('No proven faults.')
  })

  it('shows untrusted names as text, never as markup', async () => {
    await look('nft/licence%24bank')
    const content = await page.locator('pre').textContent()
    expect(content).toContain('<img src=x onerror=')
    expect(content).toContain('⟨U+202E⟩gpj.exe')
    await go(`transaction/${hash}`)
    expect(await page.locator('pre').first().textContent()).toContain('<img src=x onerror=')
    await go(`search/${encodeURIComponent(HOSTILE)}`)
    await shown('No object with this id exists.')
    await go(`account/${encodeURIComponent('<img src=x onerror=alert(1)>')}`)
    expect(await page.locator('main img').count()).toBe(0)
    expect(await page.title()).not.toBe('1')
  })

  it('keeps eight tabs alive with one pair of streams', async () => {
    await look('overview')
    const tabs = [page, ...(await Promise.all(Array.from({ length: 7 }, () => context.newPage())))]
    for (const tab of tabs.slice(1)) await tab.goto(`${node}/explorer/#/blocks`)
    await pay()
    const height = await heightNow()
    for (const tab of tabs) {
      await beyond(tab, height - 1)
    }
    const streams = (): string =>
      [...noted.open]
        .map((request) => new URL(request.url()).pathname)
        .toSorted()
        .join()
    const pair = '/v1/consensus/status/sse,/v1/explorer/blocks/stream'
    await until('one pair of streams', async () => (streams() === pair ? true : undefined))
    // The tab with the streams goes: another one takes over, and all go on.
    await tabs[0]?.close()
    await pay()
    const next = await heightNow()
    for (const tab of tabs.slice(1)) {
      await beyond(tab, next - 1)
    }
    await until('one pair of streams again', async () => (streams() === pair ? true : undefined))
  })

  it('prompts for a token if the node requires one, and keeps it in memory only', async () => {
    ;({ context, noted } = await lookAt(browser))
    await context.route('**/v1/**', (route) => {
      const { 'x-api-token': token } = route.request().headers()
      if (token === 'secret') return route.continue()
      const body = JSON.stringify({ code: 'unauthorised', message: 'this node requires an API token', request_id: 'x' })
      return route.fulfill({ status: 401, contentType: 'application/json', body })
    })
    page = await context.newPage()
    await page.goto(`${node}/explorer/`)
    await page.getByLabel('API token').fill('wrong')
    await page.keyboard.press('Enter')
    await shown('The node does not accept this token.')
    await page.getByLabel('API token').fill('secret')
    await page.keyboard.press('Enter')
    await page.locator('.link').getByText('Live').waitFor()
    await shown('Throughput')
    const kept = await inPage(page, 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')
    expect(kept).toBe('[{},{},""]')
    expect(page.url()).not.toContain('secret')
  })

  it.each(['light', 'dark'] as const)('has no accessibility fault in its %s colours', async (colorScheme) => {
    await look('overview', { colorScheme })
    for (const name of PAGES()) {
      await go(name)
      await inPage(page, "document.querySelectorAll('main details').forEach((one) => { one.open = true })")
      expect([name, await accessibilityFaults(page)]).toEqual([name, []])
    }
  })

  it.each([390, 820, 1280])('fits a window of %i pixels without scrolling sideways', async (width) => {
    await look('overview', { width })
    for (const name of PAGES()) {
      await go(name)
      const wide = await inPage(page, 'document.documentElement.scrollWidth')
      expect([name, wide]).toEqual([name, width])
    }
  })

  it(
    'provides the screenshots of the documentation',
    needs(PICTURES === undefined ? 'CAUSEWAY_SCREENSHOTS is not set' : undefined),
    async () => {
      await mkdir(PICTURES ?? '', { recursive: true })
      const pictures = [
        ['overview', 1280, 'light'],
        ['consensus', 820, 'dark'],
        ['account/alice%40bank', 390, 'light'],
      ] as const
      for (let at = 0; at < 20; at += 1) await pay()
      for (const [name, width, colorScheme] of pictures) {
        await context?.close()
        await look(name, { width, colorScheme })
        await pay()
        await page.waitForTimeout(1_500)
        await page.screenshot({ path: join(PICTURES ?? '', `explorer-${name.split('/')[0]}-${width}.png`) })
      }
    },
  )

  it('reports an unreachable node, and recovers when it is back', async () => {
    await look('overview')
    const before = await headHeight()
    await net.kill('val-0')
    await page.locator('.link').getByText('Offline').waitFor()
    await shown('The node does not respond. Retrying.')
    await pay()
    await run('localnet', 'up', '--dir', net.folder, '--only', 'val-0')
    await page.locator('.link').getByText('Live').waitFor()
    await beyond(page, before)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('reports the reason of a stall, and its end', async () => {
    await look('overview')
    await net.kill('val-2', 'val-3')
    const words = ['asset', 'transfer', '--to', 'bob@bank', '--asset', 'eur#bank', '--amount', '1', '--yes']
    await run(...words, '--key-file', net.keyFile('alice'), '--wait', 'queued')
    await page
      .getByRole('alert')
      .getByText(/The chain has been stalled for/)
      .waitFor()
    await page.locator('.link').getByText('Stalled').waitFor()
    expect(await page.title()).toBe('Stalled: Overview · Causeway')
    await run('localnet', 'up', '--dir', net.folder)
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await page.locator('.link').getByText('Live').waitFor()
    expect(await page.title()).toBe('Overview · Causeway')
  })
})

describe('the lanes page', needs(BROWSER_MISSING), () => {
  it('shows the load, deferrals and commitments of each lane', async () => {
    const lanes = await TestNet.start('lanes-3')
    const browser = await openBrowser()
    try {
      const gateway = lanes.gateways[0] ?? ''
      const words = ['asset', 'transfer', '--to', 'bob@bank', '--asset', 'eur#bank', '--amount', '1', '--yes']
      expect((await lanes.cli(...words, '--key-file', lanes.keyFile('alice'))).code).toBe(0)
      const { context, noted } = await lookAt(browser)
      const page = await context.newPage()
      await page.goto(`${gateway}/explorer/#/lanes`)
      await page.getByText('Deferred: lane full').waitFor()
      await page.getByText('securities').first().waitFor()
      await page.getByText('Root of transactions').waitFor()
      expect(await page.getByRole('region', { name: 'Load of lanes' }).locator('tbody tr').count()).toBe(3)
      expect(noted.faults).toEqual([])
    } finally {
      await browser.close()
    }
  })
})
