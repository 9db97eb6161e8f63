/** Requests to addresses that strangers name: which are called, what an endpoint can do to the node, and what it cannot learn. */
import { createServer, type RequestListener, type Server } from 'node:http'
import Module from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AddressRule } from '../../../src/network/outbound/address-rule.js'
import { Outbound, type OutboundConfig } from '../../../src/network/outbound/outbound.js'
import type { ResolveName } from '../../../src/network/outbound/resolver.js'
import { PATIENCE_MS } from '../../support/ports.js'

const CLOSED: OutboundConfig = { allowHttp: false, allow: [], deny: [] }
const LOCAL: OutboundConfig = { allowHttp: true, allow: ['127.0.0.0/8', '::1/128'], deny: [] }

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})
function outboundOf(config: OutboundConfig, timeoutMs = PATIENCE_MS, resolve?: ResolveName): Outbound {
  const outbound = resolve === undefined ? new Outbound(config, timeoutMs) : new Outbound(config, timeoutMs, resolve)
  closers.push(() => outbound.close())
  return outbound
}
async function serverOf(listener: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, server }
}
const send = (outbound: Outbound, url: string, owner = 'alice') =>
  outbound.post({ owner: { id: owner, isOperator: false }, url, headers: {}, body: Buffer.from('{}') })

/** Answers every lookup with addresses, the next of the lists each time. */
const resolving = (...answers: readonly (readonly string[])[]): ResolveName & { readonly asked: () => number } => {
  let at = 0
  const resolve: ResolveName = async () => {
    const addresses = answers[Math.min(at, answers.length - 1)] ?? []
    at += 1
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  return Object.assign(resolve, { asked: () => at })
}

/** Addresses inside: each in a form that some parser or other takes for it. */
const INSIDE = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://１２７.0.0.1/',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://168.63.129.16/',
  'https://192.0.0.8/',
  'https://198.18.0.1/',
  'https://203.0.113.7/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::7f00:1]/',
  'https://[::a9fe:a9fe]/',
  'https://[1::1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001::1]/',
  'https://[2001:db8::1]/',
  'https://[fc00::1]/',
  'https://[fd12:3456::1]/',
  'https://[fe80::1]/',
  'https://[ff02::1]/',
]

describe('outbound URL validation', () => {
  it.each(INSIDE)('%s is not called', async (url) => {
    const outbound = outboundOf(CLOSED)
    expect(outbound.urlFault(url)).toMatch(/is not a public address|not a URL/)
    expect(await send(outbound, url)).toEqual({ kind: 'failed', reason: 'address_refused' })
  })

  it.each([
    ['http://bank.example/', 'not https'],
    ['ftp://bank.example/', 'not https'],
    ['file:///etc/passwd', 'not https'],
    ['https://user:pass@bank.example/', 'contains a user name or a password'],
    ['bank.example', 'not a URL'],
    [`https://bank.example/${'x'.repeat(2_048)}`, 'longer than 2048 bytes'],
  ])('%s is rejected', (url, why) => {
    expect(outboundOf(CLOSED).urlFault(url)).toBe(why)
  })

  it.each(['https://bank.example/hooks', 'https://8.8.8.8/', 'https://[2606:4700::1111]/'])(
    '%s may be called',
    (url) => {
      expect(outboundOf(CLOSED).urlFault(url)).toBeUndefined()
    },
  )
})

describe('address ranges set by the operator', () => {
  it('can allow private networks and deny other ranges', () => {
    const rule = new AddressRule({ allow: ['10.0.0.0/8', 'fd00::/8'], deny: ['10.9.0.0/16', '8.8.8.8/32'] })
    expect(
      ['10.1.2.3', 'fd00::1', '1.1.1.1', '10.9.1.1', '8.8.8.8', '192.168.0.1', 'nonsense'].map((one) =>
        rule.permits(one),
      ),
    ).toEqual([true, true, true, false, false, false, false])
    expect(['::ffff:1.1.1.1', '::ffff:8.8.8.8', '::ffff:10.1.2.3'].map((one) => rule.permits(one))).toEqual([
      true,
      false,
      true,
    ])
    const everything = new AddressRule({ allow: ['0.0.0.0/0'], deny: [] })
    expect(everything.permits('168.63.129.16')).toBe(false)
  })
})

describe('the resolved addresses of a host name', () => {
  it('must all be public: one private address of two is enough to refuse the name', async () => {
    const outbound = outboundOf(CLOSED, 2_000, resolving(['8.8.8.8', '10.0.0.1']))
    expect(await send(outbound, 'https://both.example/')).toEqual({ kind: 'failed', reason: 'address_refused' })
  })

  it('are checked at each connection: a name that later resolves to a private address is refused', async () => {
    let asked = 0
    const { port } = await serverOf((_, response) => {
      asked += 1
      // No connection is kept, so that the next request resolves again.
      response.writeHead(200, { connection: 'close' }).end()
    })
    const resolve = resolving(['127.0.0.1'], ['10.0.0.1'])
    const outbound = outboundOf(LOCAL, 2_000, resolve)
    const url = `http://rebound.example:${port}/`
    expect(await send(outbound, url)).toMatchObject({ kind: 'answered', status: 200 })
    expect(await send(outbound, url)).toEqual({ kind: 'failed', reason: 'address_refused' })
    expect([asked, resolve.asked()]).toEqual([1, 2])
  })

  it('must not be empty: a name without addresses is refused', async () => {
    const outbound = outboundOf(CLOSED, 2_000, resolving([]))
    expect(await send(outbound, 'https://nobody.example/')).toEqual({ kind: 'failed', reason: 'address_refused' })
  })
})

describe('an endpoint', () => {
  it('is not followed to a redirect target', async () => {
    const paths: (string | undefined)[] = []
    const { port } = await serverOf((request, response) => {
      paths.push(request.url)
      response.writeHead(302, { location: '/inside' }).end()
    })
    const answer = await send(outboundOf(LOCAL), `http://127.0.0.1:${port}/`)
    expect([answer, paths]).toEqual([{ kind: 'answered', status: 302, retryAfterMs: undefined }, ['/']])
  })

  it('that hangs blocks its request only until the timeout', async () => {
    const { port } = await serverOf(() => undefined)
    expect(await send(outboundOf(LOCAL, 100), `http://127.0.0.1:${port}/`)).toEqual({
      kind: 'failed',
      reason: 'timeout',
    })
  })

  it('that sends its response slowly counts as answered, and is disconnected at the timeout', async () => {
    const { port } = await serverOf((_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 10)
      response.on('close', () => clearInterval(timer))
    })
    expect(await send(outboundOf(LOCAL, 2_000), `http://127.0.0.1:${port}/`)).toMatchObject({ status: 200 })
  })

  it('that sends an endless response is read up to 1 KiB', async () => {
    let written = 0
    const { port } = await serverOf((_, response) => {
      response.writeHead(200)
      const chunk = Buffer.alloc(64 * 1024)
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    expect(await send(outboundOf(LOCAL), `http://127.0.0.1:${port}/`)).toMatchObject({ status: 200 })
    // Capacity of the buffers of the two sockets.
    expect(written).toBeLessThan(64 * 1024 * 1024)
  })

  it('that does not exist counts as failed', async () => {
    const { port, server } = await serverOf(() => undefined)
    await new Promise((resolve) => server.close(resolve))
    expect(await send(outboundOf(LOCAL), `http://127.0.0.1:${port}/`)).toEqual({ kind: 'failed', reason: 'network' })
  })

  it.each([
    { when: 'before the first request', before: 0 },
    { when: 'after one', before: 1 },
  ])('is not called once requests are closed, $when', async ({ before }) => {
    let asked = 0
    const { port } = await serverOf((_, response) => {
      asked += 1
      response.writeHead(204).end()
    })
    const outbound = outboundOf(LOCAL)
    if (before > 0) await send(outbound, `http://127.0.0.1:${port}/`)
    await outbound.close()
    expect(await send(outbound, `http://127.0.0.1:${port}/`)).toEqual({ kind: 'failed', reason: 'network' })
    expect(asked).toBe(before)
  })

  it('is disconnected if outbound requests are closed during its first request', async () => {
    const { port } = await serverOf(() => undefined)
    const outbound = outboundOf(LOCAL)
    const sent = send(outbound, `http://127.0.0.1:${port}/`)
    await outbound.close()
    expect(await sent).toEqual({ kind: 'failed', reason: 'network' })
  })

  it('can be called again if the HTTP library failed to load the first time', async () => {
    const { port } = await serverOf((_, response) => response.writeHead(204).end())
    const outbound = outboundOf(LOCAL)
    const loads = vi.spyOn(Module as unknown as { _load: (name: string) => unknown }, '_load')
    loads.mockImplementationOnce(() => {
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
    })
    try {
      const url = `http://127.0.0.1:${port}/`
      expect(await send(outbound, url)).toEqual({ kind: 'failed', reason: 'network' })
      expect(await send(outbound, url)).toMatchObject({ kind: 'answered', status: 204 })
    } finally {
      loads.mockRestore()
    }
  })

  it('may set the retry delay', async () => {
    const { port } = await serverOf((_, response) => response.writeHead(503, { 'retry-after': '7' }).end())
    expect(await send(outboundOf(LOCAL), `http://127.0.0.1:${port}/`)).toMatchObject({
      status: 503,
      retryAfterMs: 7_000,
    })
  })

  it('that hangs on all its connections does not delay endpoints of other owners', async () => {
    const hanging = await serverOf(() => undefined)
    const quick = await serverOf((_, response) => response.writeHead(204).end())
    const outbound = outboundOf(LOCAL)
    const held = Array.from({ length: 200 }, () => send(outbound, `http://127.0.0.1:${hanging.port}/`, 'mallory'))
    expect(await send(outbound, `http://127.0.0.1:${quick.port}/`)).toMatchObject({ status: 204 })
    await outbound.close()
    await Promise.all(held)
  })

  it('is called over at most four connections', async () => {
    const open: (() => void)[] = []
    let most = 0
    const { port } = await serverOf((_, response) => {
      open.push(() => response.writeHead(204).end())
      most = Math.max(most, open.length)
      if (open.length === 4) setTimeout(() => open.splice(0).map((answer) => answer()), 10)
    })
    const outbound = outboundOf(LOCAL)
    const url = `http://127.0.0.1:${port}/`
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(outbound, url, `owner ${index}`)))
    expect([most, new Set(answers.map((one) => (one.kind === 'answered' ? one.status : one.reason)))]).toEqual([
      4,
      new Set([204]),
    ])
  })
})
