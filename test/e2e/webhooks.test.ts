/**
 * Webhooks on processes: an endpoint that fails, hangs, redirects and refuses, and a node that is killed again and again. Every
 * transfer comes at least once, in the order of the chain, none is invented. `CAUSEWAY_WEBHOOK_KILLS` counts the kills.
 */
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WINDOW } from '../../src/features/webhooks/node/limits.js'
import { TestNet, until } from './localnet.js'

const KILLS = Number(process.env.CAUSEWAY_WEBHOOK_KILLS ?? 2)
/** Payments between two kills. */
const PAYMENTS = 6

let net: TestNet
let server: Server
let url: string
let secret: string
let hook: string
/** Ids in the order of their first coming, ids that were taken, and how many were in all. */
const seen: string[] = []
const taken: string[] = []
let deliveries = 0
let forged = 0
/** The event that the endpoint never wants. */
let unwanted: string | undefined
let requests = 0
/** Redirects that were followed. */
let followed = 0

const signed = (...words: string[]) => net.cli('webhook', ...words, '--key-file', net.keyFile('alice'), '--json')
const shown = async () => (await signed('show', hook)).json() as Record<string, unknown>
const pay = async (amount: number): Promise<void> => {
  const words = ['asset', 'transfer', '--to', 'bob@bank', '--asset', 'eur#bank', '--amount', String(amount)]
  const run = await net.cli(...words, '--key-file', net.keyFile('alice'), '--gateway', net.gateways[1] ?? '', '--yes')
  if (run.code !== 0) throw new Error(run.stdout + run.stderr)
}

beforeAll(async () => {
  net = await TestNet.start()
  server = createServer((request, response) => {
    if (request.url === '/elsewhere') followed += 1
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const id = String(request.headers['webhook-id'])
      const body = Buffer.concat(parts).toString()
      requests += 1
      if (!seen.includes(id)) seen.push(id)
      try {
        new Webhook(secret).verify(body, request.headers as Record<string, string>)
      } catch {
        forged += 1
        response.writeHead(401).end()
        return
      }
      if (id === unwanted) return void response.writeHead(422).end()
      // One in seven has a bad moment: it fails, hangs up, or sends the node elsewhere, which a node does not follow.
      if (requests % 21 === 7) return void response.writeHead(503, { 'retry-after': '1' }).end()
      if (requests % 21 === 14) return void request.socket.destroy()
      if (requests % 21 === 20) return void response.writeHead(302, { location: '/elsewhere' }).end()
      deliveries += 1
      if (!taken.includes(id)) taken.push(id)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await TestNet.closeAll()
})

/** Payments that were made. */
let paid = 0

/** Ids of their transfers on the chain, by another node than the one with the hook. */
async function transfers(): Promise<string[]> {
  const wanted = ['--kind', 'Transferred', '--from-height', '1', '--limit', String(paid)]
  const run = await net.cli('events', 'watch', ...wanted, '--json', '--gateway', net.gateways[1] ?? '')
  const lines = run.stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => `evt_${hook}_${(JSON.parse(line) as { id: string }).id.replace('.', '_')}`)
}

describe('a webhook', () => {
  it('is refused for an internal endpoint, and added for an endpoint that the operator allows', async () => {
    const inside = await signed('create', 'http://10.0.0.1/', '--filter', 'kind=Transferred')
    expect([inside.code, inside.json()]).toMatchObject([4, { error: { code: 'webhook_url_refused' } }])
    const added = await signed(
      'create',
      url,
      '--filter',
      'kind=Transferred',
      '--secret-out',
      join(net.root, 'hook.secret'),
    )
    expect(added.code, added.stderr).toBe(0)
    hook = (added.json() as unknown as { id: string }).id
    secret = (await readFile(join(net.root, 'hook.secret'), 'utf8')).trim()
  })

  it('receives every transfer at least once, in order, across endpoint faults and node kills', async () => {
    for (let round = 0; round <= KILLS; round += 1) {
      for (let at = 0; at < PAYMENTS; at += 1) {
        await pay(at + 1)
        paid += 1
      }
      // A round ends in the middle: some are delivered, others not.
      if (round < KILLS) {
        await net.kill('val-0')
        const run = await net.up('--only', 'val-0')
        if (run.code !== 0) throw new Error(run.stdout + run.stderr)
      }
    }
    await until('every transfer', async () => (taken.length >= paid ? true : undefined))
    const wanted = await transfers()
    expect([...taken].sort()).toEqual([...wanted].sort())
    // They are sent in the order of the chain; what is under way together arrives as the network likes.
    const displaced = seen.map((id, at) => Math.abs(wanted.indexOf(id) - at))
    expect(Math.max(...displaced)).toBeLessThan(WINDOW)
    expect([forged, followed]).toEqual([0, 0])
    expect(deliveries - taken.length).toBeLessThanOrEqual(KILLS * WINDOW)
  })

  it('sets aside an event that the endpoint refuses, sends the others, and resends that event on request', async () => {
    const before = taken.length
    const { cursor } = (await shown()) as { cursor: { height: number } }
    unwanted = `evt_${hook}_${cursor.height}_0`
    await pay(1)
    await pay(2)
    const event = await until('the dead letter', async () => {
      const { items } = (await signed('dead', hook)).json() as unknown as { items: { event: string }[] }
      return items[0]?.event
    })
    await until('the one after it', async () => (taken.length > before ? true : undefined))
    unwanted = undefined
    await until('that it is taken', async () => {
      const run = await signed('redeliver', hook, event)
      return run.code === 0 ? true : undefined
    })
    expect(taken).toContain(`evt_${hook}_${event.replace('.', '_')}`)
    expect(await shown()).toMatchObject({ state: 'Active', dead: 0 })
    const unknown = await signed('forget', hook, '1.1')
    expect([unknown.code, unknown.json()]).toMatchObject([1, { error: { code: 'not_found' } }])
  })

  it('is hidden from other accounts', async () => {
    const other = await net.cli('webhook', 'remove', hook, '--key-file', net.keyFile('bob'), '--json')
    expect([other.code, other.json()]).toMatchObject([1, { error: { code: 'not_found' } }])
    expect((await signed('remove', hook)).code).toBe(0)
    expect((await signed('list')).json()).toEqual({ items: [], next_cursor: null })
  })
})
