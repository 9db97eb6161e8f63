/** The bridge in operation: held messages, frozen accounts, many files, statements, reference data. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Authenticator } from '../support/authenticator.js'
import { BROWSER_MISSING } from '../support/browser.js'
import { bulkMessage } from '../support/bulk-messages.js'
import { accessibilityFaults, lookAt, openBrowser } from '../support/looking.js'
import { needs } from '../support/needs.js'
import { TestNet, until } from './localnet.js'
import { TODAY } from './messages.js'

let net: TestNet
const operator: string[] = []
beforeAll(async () => {
  net = await TestNet.start()
  operator.push('--key-file', net.keyFile('admin'))
  const shown = (await net.cli('key', 'show', net.keyFile('admin'), '--json')).stdout
  const key = /ed0120[0-9A-Fa-f]{64}/.exec(shown)?.[0] ?? ''
  const bics = join(net.folder, 'bic.json')
  await writeFile(bics, directory('1', ['ALPHDEFF', 'BETAFRPP']))
  // Two peers get an operator, a hold rule and a directory of banks; the others stay as they are.
  await net.kill('val-0', 'val-1')
  for (const name of ['val-0', 'val-1']) {
    const file = join(net.folder, name, 'node.toml')
    const toml = (await readFile(file, 'utf8'))
      .replace(/^operator_keys = \[\]/m, `operator_keys = ["${key}"]`)
      .replace(/^hold = \[\]/m, 'hold = [{ min_amount = "1000", currency = "EUR" }]')
      .replace(/^#bic_file = .*$/m, `bic_file = "${bics}"`)
      .replace(/^refresh_seconds = 60/m, 'refresh_seconds = 1')
    await writeFile(file, toml)
  }
  const run = await net.up()
  if (run.code !== 0) throw new Error(run.stdout + run.stderr)
})
afterAll(() => TestNet.closeAll())

const directory = (version: string, bics: readonly string[]): string =>
  JSON.stringify({ version, source: 'test', entries: bics.map((bic) => ({ bic })) })

async function template(id: string, amount: string): Promise<string> {
  const made = await net.cli('iso', 'template', 'pacs008', '--id', id, '--amount', amount, '--form', 'flat')
  const path = join(net.root, `${id}.txt`)
  await writeFile(path, made.stdout)
  return path
}

describe('an operator', () => {
  it('can create a snapshot of a running node, and other accounts cannot', async () => {
    const early = await net.cli('snapshot', 'create', '--json', ...operator)
    expect([early.code, early.stdout]).toEqual([1, expect.stringContaining('no block above genesis')])
    expect((await net.cli('ledger', 'log', 'a first block', '--yes', ...operator)).code).toBe(0)
    const refused = await net.cli('snapshot', 'create', '--json', '--key-file', net.keyFile('alice'))
    expect(refused.code).not.toBe(0)
    const made = await net.cli('snapshot', 'create', '--json', ...operator)
    expect([made.code, made.json()]).toMatchObject([
      0,
      { making: null, failure: null, items: [{ bytes: expect.any(Number) }] },
    ])
    const listed = await net.cli('snapshot', 'list', '--json')
    expect(listed.json()).toEqual(made.json())
  })
})

describe('a message above the amount limit', () => {
  it('waits for release by an operator, even across kill -9, and is then paid', async () => {
    const held = await net.cli('iso', 'submit', 'pacs008', await template('HELD-1', '5000'), '--json')
    expect([held.code, held.json()]).toMatchObject([
      8,
      { pacs002_code: 'PDNG', hold_reason_code: 'HOLD_AMOUNT', transaction_hash: null },
    ])
    await net.kill('val-0')
    expect((await net.up()).code).toBe(0)
    const listed = (await net.cli('iso', 'hold', '--json', ...operator)).json() as unknown as {
      items: { message_id: string }[]
    }
    expect(listed.items.map((one) => one.message_id)).toEqual(['HELD-1'])
    const refused = await net.cli('iso', 'release', 'HELD-1', '--yes', '--json', '--key-file', net.keyFile('alice'))
    expect(refused.code).toBe(9)
    const unseen = await net.cli('iso', 'release', 'HELD-1', '--json', ...operator)
    expect([unseen.code, unseen.stdout]).toMatchObject([2, expect.stringContaining('Give --yes')])
    const other = await net.cli('iso', 'release', 'HELD-1', '--body-hash', '00'.repeat(32), '--json', ...operator)
    expect([other.code, other.stdout]).toMatchObject([6, expect.stringContaining('iso_held_changed')])
    const changed = await net.cli(
      'iso',
      'hold',
      'set',
      'HELD-1',
      '--reference',
      'CHANGED',
      '--yes',
      '--json',
      ...operator,
    )
    expect(changed.json()).toMatchObject({ pacs002_code: 'ACWC', change_reason_codes: ['NARR'] })
    expect((await net.cli('iso', 'release', 'HELD-1', '--yes', '--json', ...operator)).code).toBe(0)
    const watched = await net.cli('iso', 'watch', 'HELD-1', '--json')
    expect([watched.code, watched.stdout]).toMatchObject([0, expect.stringContaining('"ACSC"')])
    const again = await net.cli('iso', 'release', 'HELD-1', '--yes', '--json', ...operator)
    expect([again.code, again.stdout]).toMatchObject([6, expect.stringContaining('iso_not_held')])
    const xml = await net.cli('iso', 'status', 'HELD-1', '--xml')
    expect(xml.stdout).toContain('<OrgnlEndToEndId>CHANGED</OrgnlEndToEndId>')
  })

  it('can be refused permanently with an ISO reason', async () => {
    const file = await template('HELD-2', '2000')
    await net.cli('iso', 'submit', 'pacs008', file)
    const refused = await net.cli('iso', 'hold', 'refuse', 'HELD-2', '--reason', 'AG01', '--yes', '--json', ...operator)
    expect(refused.json()).toMatchObject({ pacs002_code: 'RJCT', rejection_reason_code: 'AG01' })
    expect((await net.cli('iso', 'submit', 'pacs008', file)).code).toBe(6)
  })
})

describe('a message held by two gateways', () => {
  it('is paid once if both release it at the same time', async () => {
    const file = await template('BOTH-1', '3000')
    const at = (gateway: number, ...words: string[]) =>
      net.cli(...words, '--json', '--gateway', net.gateways[gateway] ?? '')
    for (const gateway of [0, 1]) {
      expect((await at(gateway, 'iso', 'submit', 'pacs008', file)).json()).toMatchObject({ pacs002_code: 'PDNG' })
    }
    const released = await Promise.all(
      [0, 1].map((gateway) => at(gateway, 'iso', 'release', 'BOTH-1', '--yes', ...operator)),
    )
    expect(released.map((run) => run.code).filter((code) => code === 0).length).toBeGreaterThan(0)
    const records = await Promise.all(
      [0, 1].map((gateway) =>
        until(`BOTH-1 at gateway ${gateway}`, async () => {
          const record = (await at(gateway, 'iso', 'status', 'BOTH-1')).json() as Record<string, unknown>
          return record['pacs002_code'] === 'ACSC' ? record : undefined
        }),
      ),
    )
    expect(new Set(records.map((record) => record['transaction_hash'])).size).toBe(1)
    const csv = (await net.cli('account', 'statement', 'alice@bank', '--asset', 'eur#bank', '--format', 'csv')).stdout
    expect(csv.split('\n').filter((line) => line.includes(',debit,3000,'))).toHaveLength(1)
  })
})

describe('an account', () => {
  it('cannot pay while it is frozen (AC06), and can pay again once it is unfrozen', async () => {
    const control = (flag: string) =>
      net.cli('asset', 'control', 'alice@bank', '--asset', 'eur#bank', flag, '--json', ...operator)
    expect((await control('--freeze')).code).toBe(0)
    const file = await template('FROZEN-1', '5')
    const refused = await net.cli('iso', 'submit', 'pacs008', file, '--json')
    expect([refused.code, refused.stdout]).toMatchObject([6, expect.stringContaining('"AC06"')])
    expect((await control('--no-freeze')).code).toBe(0)
    expect((await net.cli('iso', 'submit', 'pacs008', file)).code).toBe(0)
  })

  it('has a statement that lists every payment once, as CSV and as camt.053', async () => {
    const csv = (await net.cli('account', 'statement', 'alice@bank', '--asset', 'eur#bank', '--format', 'csv')).stdout
    const rows = csv
      .trim()
      .split('\n')
      .map((line) => line.split(','))
    expect(rows.slice(1).map((row) => [row[2], row[3], row[4]])).toEqual([
      ['credit', '1000000', '1000000'],
      ['debit', '5000', '995000'],
      ['debit', '3000', '992000'],
      ['debit', '5', '991995'],
    ])
    const words = [
      'account',
      'statement',
      'alice@bank',
      '--asset',
      'eur#bank',
      '--currency',
      'EUR',
      '--format',
      'camt053',
    ]
    const path = join(net.root, 'statement.xml')
    await writeFile(path, (await net.cli(...words)).stdout)
    const checked = await net.cli('iso', 'validate', path, '--family', 'camt.053', '--json')
    expect(checked.json()).toMatchObject({ valid: true, fields: { 'Stmt[1]/Bal[2]/Amt': '991995' } })
  })
})

describe('many files', () => {
  it('are summarised, and a second run sends only payments that did not settle', async () => {
    const files: string[] = []
    for (const id of ['MANY-1', 'MANY-2', 'MANY-3']) files.push(await template(id, '1.5'))
    const bad = join(net.root, 'broken.txt')
    await writeFile(bad, 'MsgId=x')
    const resume = join(net.root, 'resume.ndjson')
    const submit = () => net.cli('iso', 'submit', 'pacs008', ...files, bad, '--resume', resume, '--json')
    const first = await submit()
    expect([first.code, first.json()]).toMatchObject([4, { files: 4, skipped: 0, counts: { ACSC: 3, iso_invalid: 1 } }])
    // It names accounts and amounts.
    expect((await stat(resume)).mode & 0o777).toBe(0o600)
    const second = await submit()
    expect([second.code, second.json()]).toMatchObject([4, { files: 4, skipped: 3, counts: { iso_invalid: 1 } }])
  })
})

describe('reference data', () => {
  it('rejects unknown banks, and is reloaded when the file changes', async () => {
    const file = await template('BIC-1', '1')
    const bics = join(net.folder, 'bic.json')
    await writeFile(bics, directory('2', ['ALPHDEFF']))
    const metric = async (name: string): Promise<string> => {
      const text = await (await fetch(`${net.gateways[0]}/metrics`)).text()
      return new RegExp(`^${name}\\{dataset="bic"\\} (\\S+)$`, 'm').exec(text)?.[1] ?? ''
    }
    await until('the second version', async () => ((await metric('iso_reference_records')) === '1' ? true : undefined))
    const refused = await net.cli('iso', 'submit', 'pacs008', file, '--json')
    expect([refused.code, refused.stdout]).toMatchObject([4, expect.stringContaining('"CNOR"')])
    await writeFile(bics, '{ no JSON at all')
    await until('the fault', async () => ((await metric('iso_reference_file_faulty')) === '1' ? true : undefined))
    expect(await metric('iso_reference_status')).toBe('1')
    await writeFile(bics, directory('3', ['ALPHDEFF', 'BETAFRPP']))
    await until('the third version', async () => ((await metric('iso_reference_records')) === '2' ? true : undefined))
    expect((await net.cli('iso', 'submit', 'pacs008', file)).code).toBe(0)
  })
})

describe('a passkey of an operator', () => {
  /** Pages are opened by name: an address is no relying party. */
  const origin = (): string => (net.gateways[0] ?? '').replace('127.0.0.1', 'localhost')
  async function post<T>(path: string, body?: object): Promise<T> {
    const answer = await fetch(`${origin()}/v1/operator/auth/${path}`, {
      method: 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as T
  }
  interface Options {
    readonly options: { readonly challenge: string }
  }

  it('can be added and removed by commands, and opens a session after kill -9 of the node', async () => {
    const added = await net.cli('operator', 'passkey', 'add', '--label', 'laptop', '--json', ...operator)
    const { ticket, url } = added.json() as unknown as { ticket: string; url: string }
    expect(url).toBe(`${origin()}/explorer/#/operator/${ticket}`)
    const authenticator = new Authenticator(origin(), 'localhost')
    const making = await post<Options>('registration/options', { ticket })
    const made = await post<{ id: string }>('registration/verify', {
      ticket,
      response: authenticator.create(making.options),
    })
    await net.kill('val-0')
    expect((await net.up()).code).toBe(0)
    const asked = await post<Options>('login/options')
    const { token } = await post<{ token: string }>('login/verify', { response: authenticator.get(asked.options) })
    const held = await fetch(`${origin()}/v1/iso20022/held`, { headers: { 'x-ledger-session': token } })
    expect(held.status).toBe(200)
    const listed = (await net.cli('operator', 'passkey', 'list', ...operator)).stdout
    expect(listed).toContain(made.id)
    expect((await net.cli('operator', 'passkey', 'remove', made.id, ...operator)).code).toBe(0)
    expect((await fetch(`${origin()}/v1/iso20022/held`, { headers: { 'x-ledger-session': token } })).status).toBe(401)
  })

  it('opens the desk of the explorer in a browser', needs(BROWSER_MISSING), async () => {
    const bulk = join(net.root, 'MANY-HELD.txt')
    const payments = [{ amount: '1500' }, { amount: '1600' }, { amount: '1700' }]
    await writeFile(bulk, bulkMessage('MANY-HELD', payments).replace('2026-03-02', TODAY))
    expect((await net.cli('iso', 'submit', 'pacs008', bulk, '--json')).json()).toMatchObject({ pacs002_code: 'PDNG' })
    const added = await net.cli('operator', 'passkey', 'add', '--label', 'browser', '--json', ...operator)
    const { url } = added.json() as unknown as { url: string }
    const browser = await openBrowser()
    try {
      const { context, noted } = await lookAt(browser)
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      await session.send('WebAuthn.enable')
      const options = {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
      } as const
      await session.send('WebAuthn.addVirtualAuthenticator', {
        options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
      })
      await page.goto(url)
      await page.getByRole('button', { name: 'Create the passkey' }).click()
      await page.getByText('The passkey browser is stored').waitFor()
      expect(page.url()).not.toContain('operator/')
      await page.getByRole('button', { name: 'Log in with a passkey' }).click()
      await page.getByRole('heading', { name: 'Held messages' }).waitFor()
      await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
      page.on('dialog', (dialog) => void dialog.accept())
      await page.getByText('Payments one by one').click()
      expect(await accessibilityFaults(page)).toEqual([])
      const second = page.getByRole('article', { name: 'payment 2 of 3 of the message MANY-HELD' })
      await second.getByRole('button', { name: 'Release' }).click()
      await page.getByText('Released: payment 2 of 3 of the message MANY-HELD over 1,600.00 EUR.').waitFor()
      const rest = page.getByRole('article', { name: 'all 2 held payments of the message MANY-HELD' })
      await rest.getByRole('button', { name: 'Refuse all' }).click()
      await page.getByText('Refused: all 2 held payments of the message MANY-HELD over 3,200.00 EUR.').waitFor()
      await page.getByText('No payment is held.').waitFor()
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor()
      expect(noted.faults).toEqual([])
      // Nothing of it is kept for the next tab.
      await page.reload()
      await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor()
      expect(noted.requests.filter((one) => !one.startsWith(origin()))).toEqual([])
    } finally {
      await browser.close()
    }
  })
})
