/** The families of ledger instructions from the command line, on four real validators. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { getJson, type TestNet, until } from '../localnet.js'

let net: TestNet
let gateway: string

/** Runs a command with the key of an account; it must succeed. */
async function as(account: string, ...words: readonly string[]): Promise<Record<string, unknown>> {
  const run = await net.cli(...words, '--json', '--key-file', net.keyFile(account))
  if (run.code !== 0) throw new Error(`${words.join(' ')}: ${run.stdout}${run.stderr}`)
  return run.json() as Record<string, unknown>
}
const view = (path: string) => getJson<Record<string, unknown>>(gateway, path)
async function file(name: string, content: unknown): Promise<string> {
  const path = join(net.root, name)
  await writeFile(path, JSON.stringify(content))
  return path
}
const addressOf = async (alias: string): Promise<string> => String((await view(`/v1/accounts/${alias}`)).id)
const held = async (alias: string): Promise<string | undefined> => {
  const { balances } = (await view(`/v1/accounts/${alias}`)) as { balances: { definition: string; amount: string }[] }
  return balances.find((one) => one.definition === 'eur#bank')?.amount
}

/** Families of instructions on a network that runs. */
export function instructionSuite(network: () => TestNet): void {
  beforeAll(() => {
    net = network()
    gateway = net.gateways[0] ?? ''
  })

  describe('the command line', () => {
    it('registers, transfers and removes objects, and reports refusals', async () => {
      await as('admin', 'nft', 'register', 'deed$bank', '--meta', 'parcel=17')
      await as('admin', 'nft', 'transfer', 'deed$bank', '--to', 'alice@bank')
      expect(await as('alice', 'nft', 'list', '--owner', 'alice@bank')).toMatchObject({
        items: [{ id: 'deed$bank', content: { parcel: 17 } }],
      })
      const refused = await net.cli('nft', 'unregister', 'deed$bank', '--json', '--key-file', net.keyFile('admin'))
      expect([refused.code, refused.json()]).toMatchObject([6, { error: { code: 'not_permitted' } }])
      await as('alice', 'nft', 'unregister', 'deed$bank')
      await as('admin', 'domain', 'register', 'shop')
      await as('admin', 'metadata', 'set', 'shop', 'open', 'true')
      await as('admin', 'domain', 'unregister', 'shop')
    })

    it('grants permissions and roles', async () => {
      await as('admin', 'role', 'register', 'clerk', '--manager', 'bob@bank')
      await as('bob', 'role', 'grant', 'clerk', '--to', 'alice@bank')
      await as('admin', 'permission', 'grant', 'CanMintAsset:eur#bank#bob@bank', '--to', 'bob@bank')
      expect(await as('alice', 'account', 'permissions', 'alice@bank')).toMatchObject({
        roles: expect.arrayContaining([expect.objectContaining({ id: 'clerk', members: 1 })]),
      })
      const before = Number(await held('bob@bank'))
      await as('bob', 'asset', 'mint', 'eur#bank', '--amount', '7')
      expect(Number(await held('bob@bank'))).toBe(before + 7)
    })

    it('follows a call and its relays, line by line', async () => {
      const watched = ['conference', 'watch', 'bank:followed', '--limit', '1', '--json'] as const
      const relays = ['conference', 'relay', 'watch', '--limit', '1', '--json'] as const
      await as('alice', 'conference', 'create', 'bank:followed')
      await as('alice', 'conference', 'create', 'bank:other')
      const lines = Promise.all([net.program(...watched), net.program(...relays)])
      let isOver = false
      void lines.finally(() => {
        isOver = true
      })
      // A subscriber receives only events after its request, so events are created until it receives one.
      await until('lines of both', async () => {
        await as('alice', 'conference', 'signal', 'send', 'bank:other', 'hello')
        await as('alice', 'conference', 'signal', 'send', 'bank:followed', 'hello')
        await as(
          'bob',
          'conference',
          'relay',
          'register',
          '--domain',
          'bank',
          '--hpke-key',
          randomBytes(32).toString('hex'),
        )
        return isOver || undefined
      })
      const [call, relay] = await lines
      expect([call.code, call.stdout]).toMatchObject([0, expect.stringContaining('"call":"bank:followed"')])
      expect([relay.code, relay.stdout]).toMatchObject([0, expect.stringContaining('ConferenceRelayRegistered')])
    })

    it('lets members of an account decide, and timers move its money unattended', async () => {
      const members = ['--member', 'alice@bank', '--member', 'bob@bank', '--quorum', '2']
      await as('admin', 'multisig', 'create', ...members, '--domain', 'bank', '--label', 'pair')
      await as('admin', 'asset', 'mint', 'eur#bank', '--amount', '50', '--to', 'pair@bank')
      const [pair, alice] = [await addressOf('pair@bank'), await addressOf('alice@bank')]
      const pay = (amount: string) => ({
        Transfer: { asset: { definition: 'eur#bank', account: pair }, to: alice, amount },
      })
      const rent = {
        RegisterTrigger: {
          id: 'rent',
          authority: pair,
          filter: { Time: { start_ms: Date.now() + 60_000, period_ms: null } },
          instructions: [pay('1')],
          repeats: 1,
          metadata: {},
        },
      }
      await as('alice', 'multisig', 'propose', 'pair@bank', await file('proposal.json', [pay('5'), rent]))
      const { open } = (await as('alice', 'multisig', 'show', 'pair@bank')) as { open: { proposal: string }[] }
      await as('bob', 'multisig', 'approve', 'pair@bank', open[0]?.proposal ?? '')
      expect(await held('pair@bank')).toBe('45')
      expect(await as('alice', 'trigger', 'show', 'rent')).toMatchObject({ authority: pair, enabled: true })

      const tick = await file('tick.json', { Log: { level: 'Info', text: 'tick' } })
      await as('bob', 'trigger', 'register', 'tick', tick, '--every', '500ms', '--repeats', '2')
      await until('both runs', async () => {
        const gone = await net.cli('trigger', 'show', 'tick', '--json', '--key-file', net.keyFile('bob'))
        return gone.code === 0 ? undefined : true
      })
      const refused = await net.cli('trigger', 'call', 'rent', '--json', '--key-file', net.keyFile('alice'))
      expect([refused.code, refused.json()]).toMatchObject([6, { error: { code: 'not_permitted' } }])
    })
  })
}
