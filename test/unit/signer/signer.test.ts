/** A signer and the nodes at it, in one process: who is served, what is signed, what a restart and a loss leave. */
import { spawnSync } from 'node:child_process'
import { appendFile, lstat, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { committeeOf, proposalSignBytes, type SignRequest, voteSignBytes } from '../../../src/consensus/index.js'
import { generateKeyPair, InlineCrypto, type KeyPair } from '../../../src/crypto/index.js'
import { writeKeyFile } from '../../../src/files/key-file.js'
import {
  type BlockHeader,
  hashOfHeader,
  keyString,
  LedgerError,
  UNEXECUTED,
  ZERO_HASH,
} from '../../../src/model/index.js'
import { SignerClient, type SignerClientOptions } from '../../../src/signer/client.js'
import type { SignerConfig } from '../../../src/signer/config.js'
import type { SignerPlace } from '../../../src/signer/place.js'
import { endingOf, type RunningSigner, startSigner } from '../../../src/signer/start.js'
import {
  FrameReader,
  frameOf,
  nodeMessage,
  SIGNER_WIRE_VERSION,
  type SignerMessage,
  signerMessage,
} from '../../../src/signer/wire.js'
import { until } from '../../support/ports.js'

const CHAIN = Buffer.alloc(32, 3)
const quiet = { debug: () => {}, info: () => {}, warn: () => {} }

let folder: string
let validator: KeyPair
let key: string
let undo: (() => Promise<void> | void)[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-signer-'))
  undo = [() => rm(folder, { recursive: true, force: true })]
  validator = await generateKeyPair('bls')
  key = keyString(validator.publicKey.bytes)
  await writeKeyFile(join(folder, 'validator.json'), validator)
})
afterEach(async () => {
  for (const step of undo.reverse()) await step()
})

const configOf = (listen?: SignerConfig['listen'], leaseMs = 60_000): SignerConfig => ({
  file: join(folder, 'signer.toml'),
  dataDir: join(folder, 'data'),
  chainHash: CHAIN,
  validatorKeyFile: join(folder, 'validator.json'),
  nextValidatorKeyFile: undefined,
  listen: listen ?? { kind: 'socket', path: join(folder, 'signer.sock') },
  leaseMs,
})

async function start(
  config = configOf(),
  resumeAbove?: number,
  onFatal: (error: unknown) => void = () => {},
): Promise<RunningSigner> {
  const options = { logger: quiet, passphrase: undefined, resumeAbove, onFatal }
  const signer = await startSigner(config, options)
  undo.push(() => signer.close())
  return signer
}

async function attach(options: Partial<SignerClientOptions> = {}): Promise<SignerClient> {
  const client = await SignerClient.open({
    place: { kind: 'socket', path: join(folder, 'signer.sock') },
    seed: Buffer.alloc(32, 1),
    chainHash: CHAIN,
    logger: quiet,
    isShared: false,
    onLost: () => {},
    ...options,
  })
  undo.push(() => client.close())
  return client
}

const header = (height: number, timeMs: number): BlockHeader => ({
  ...UNEXECUTED,
  chain: 'test',
  height,
  parentHash: ZERO_HASH,
  originView: 0,
  originProposer: key,
  timeMs,
  rosterHash: ZERO_HASH,
  committeeHash: ZERO_HASH,
  nextCommitteeHash: ZERO_HASH,
})
const proposal = (height: number, name: number, view = 0): SignRequest => ({
  chainHash: CHAIN,
  epoch: 0,
  height,
  view,
  committee: [key],
  index: 0,
  intent: { kind: 'proposal', value: { header: header(height, name), withPrepare: true } },
})
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'fine',
    (error: unknown) => (error instanceof LedgerError ? error.code : error),
  )

describe('a signer', () => {
  it('is shown in the status of its node with its connection, lease and last signature', async () => {
    const signer = await start()
    const node = await attach()
    expect(node.link).toEqual({ connected: true, leaseUntilMs: undefined, lastSignatureMs: undefined })
    await node.takeLease()
    expect(node.link.leaseUntilMs).toBeDefined()
    expect(node.link.lastSignatureMs).toBeUndefined()
    await node.sign(key, proposal(2, 1))
    expect(node.link.lastSignatureMs).toBeDefined()
    await signer.close()
    await until('the end of the connection', async () => !node.link.connected || undefined)
    expect(node.link.leaseUntilMs).toBeDefined()
  })

  it('returns valid signatures, and the same signatures if the request is repeated', async () => {
    await start()
    const node = await attach()
    expect(await node.takeLease()).toBeUndefined()
    const first = await node.sign(key, proposal(2, 1))
    if (first.type !== 'signed') throw new Error('nothing was signed')
    const crypto = await InlineCrypto.create()
    const domain = { chainHash: CHAIN, committeeHash: committeeOf(2, [key]).hash, epoch: 0, height: 2 }
    const blockHash = hashOfHeader(header(2, 1))
    const messages = [proposalSignBytes(domain, 0, blockHash), voteSignBytes(domain, 'prepare', 0, blockHash)]
    for (const [at, message] of messages.entries()) {
      expect(await crypto.blsVerify(validator.publicKey.bytes, message, first.signatures[at] ?? Buffer.alloc(0))).toBe(
        true,
      )
    }
    expect(await node.sign(key, proposal(2, 1))).toEqual(first)
  })

  it('refuses to sign another block of the same view, even after a restart, and reports the signed block', async () => {
    const before = await start()
    const node = await attach()
    await node.takeLease()
    await node.sign(key, proposal(2, 1))
    await before.close()
    await start()
    const answer = await node.sign(key, proposal(2, 2))
    expect(answer.type === 'unsigned' && answer.recorded.map(({ kind }) => kind)).toEqual(['proposed', 'prepared'])
  })

  /** As if another machine had found the lock stale, and taken it; gives the file with its content. */
  async function takeFolder(): Promise<{ readonly lock: string; readonly taken: string }> {
    const lock = join(configOf().dataDir, 'lock')
    const taken = JSON.stringify({ ...JSON.parse(await readFile(lock, 'utf8')), token: 'of another' })
    await writeFile(lock, taken)
    return { lock, taken }
  }

  it('that was suspended while another signer took over its folder grants no lease, and exits', async () => {
    let fatal: unknown
    await start(configOf(), undefined, (error) => (fatal = error))
    const { dataDir } = configOf()
    const node = await attach()
    await takeFolder()
    const before = await readFile(join(dataDir, 'lease.log'))
    const asked = node.takeLease().catch(() => undefined)
    await until('the end', async () => (fatal === undefined ? undefined : true))
    expect(fatal).toMatchObject({ code: 'data_dir_locked' })
    expect(await readFile(join(dataDir, 'lease.log'))).toEqual(before)
    expect(await Promise.race([asked, Promise.resolve('unanswered')])).toBe('unanswered')
  })

  it('that was suspended while another signer took over its folder signs nothing more, and exits', async () => {
    let fatal: unknown
    const frozen = await start(configOf(), undefined, (error) => (fatal = error))
    const node = await attach()
    await node.takeLease()
    expect((await node.sign(key, proposal(2, 1))).type).toBe('signed')
    const { lock, taken } = await takeFolder()
    const record = (await readdir(configOf().dataDir)).find((name) => name.endsWith('.votes')) ?? ''
    const before = await readFile(join(configOf().dataDir, record))
    const asked = node.sign(key, proposal(3, 1))
    await until('the end', async () => (fatal === undefined ? undefined : true))
    expect(fatal).toMatchObject({ code: 'data_dir_locked' })
    expect(await readFile(join(configOf().dataDir, record))).toEqual(before)
    expect(await Promise.race([asked, Promise.resolve('unanswered')])).toBe('unanswered')
    await frozen.close()
    // The lock stays that of who took it.
    expect(await readFile(lock, 'utf8')).toBe(taken)
  })

  it('serves one of two nodes at a time, and the other node after the lease of the first has expired', async () => {
    await start(configOf(undefined, 500))
    const active = await attach()
    const standby = await attach({ seed: Buffer.alloc(32, 2) })
    expect(await active.takeLease()).toBeUndefined()
    expect(await standby.takeLease()).toMatchObject({ heldForMs: expect.any(Number) })
    active.close()
    await until('the lease', async () => ((await standby.takeLease()) === undefined ? true : undefined))
    expect((await standby.sign(key, proposal(2, 1))).type).toBe('signed')
  })

  it('gives a restarted node the lease of its earlier process', async () => {
    await start()
    let lost: LedgerError | undefined
    const old = await attach({ onLost: (error) => (lost = error) })
    expect(await old.takeLease()).toBeUndefined()
    const anew = await attach()
    expect(await anew.takeLease()).toBeUndefined()
    expect((await old.sign(key, proposal(2, 1))).type).toBe('unsigned')
    expect((await anew.sign(key, proposal(2, 2))).type).toBe('signed')
    expect(lost === undefined || lost.code === 'signer_lease_held').toBe(true)
  })

  it('can restart while the node waits for it, and the node then votes', async () => {
    const before = await start()
    const node = await attach()
    await node.takeLease()
    await before.close()
    const waiting = node.sign(key, proposal(2, 1))
    await start()
    expect((await waiting).type).toBe('signed')
  })

  it('is reconnected after a link fails silently, and pending sign and lease requests are sent again', async () => {
    await start(configOf(undefined, 1_000))
    const path = join(folder, 'between.sock')
    let broken: Socket[] = []
    const between = createServer((near) => {
      const far = connect(join(folder, 'signer.sock'))
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        from.on('data', (bytes) => broken.includes(from) || to.write(bytes))
        from.on('close', () => broken.includes(from) || to.destroy())
        from.on('error', () => {})
        open.push(from)
      }
    })
    const open: Socket[] = []
    await new Promise<void>((resolve) => between.listen(path, resolve))
    undo.push(() => {
      for (const socket of open) socket.destroy()
      between.close()
    })
    const break_ = (): void => {
      broken = [...open]
    }
    const node = await attach({ place: { kind: 'socket', path } })
    break_()
    // The request is lost; the lease is requested again.
    expect(await node.takeLease()).toEqual({ heldForMs: 1_000 })
    await until('the lease', async () => (await node.takeLease()) === undefined || undefined)
    break_()
    expect((await node.sign(key, proposal(2, 1))).type).toBe('signed')
    expect(open.length).toBeGreaterThanOrEqual(6)
  })

  it('is disconnected if its node closes while it reconnects', async () => {
    const path = join(folder, 'again.sock')
    const welcome = { version: SIGNER_WIRE_VERSION, chainHash: CHAIN, keys: [key], leaseMs: 600 }
    const sockets: Socket[] = []
    const greetings: (() => void)[] = []
    const slow = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.once('data', () => {
        const sendWelcome = (): void => void socket.write(frameOf(signerMessage, { kind: 'welcome', value: welcome }))
        if (sockets.length === 1) sendWelcome()
        else greetings.push(sendWelcome)
      })
    })
    await new Promise<void>((resolve) => slow.listen(path, resolve))
    undo.push(() => {
      for (const socket of sockets) socket.destroy()
      slow.close()
    })
    const node = await attach({ place: { kind: 'socket', path } })
    sockets[0]?.destroy()
    await until('the second connection', () => Promise.resolve(greetings[0]))
    node.close()
    greetings[0]?.()
    await until('its end', () => Promise.resolve(sockets[1]?.closed === true || undefined))
  })

  it('grants a lease by its latest response, not by a response in transit when the lease was lost', async () => {
    const path = join(folder, 'late.sock')
    const signedUnder: number[] = []
    let [granted, renewals] = [0, 0]
    const late = createServer((socket) => {
      const reader = new FrameReader(nodeMessage)
      const send = (message: SignerMessage): void => void socket.write(frameOf(signerMessage, message))
      const welcome = { version: SIGNER_WIRE_VERSION, chainHash: CHAIN, keys: [key], leaseMs: 600 }
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        for (const message of reader.read(bytes) ?? []) {
          if (message.kind === 'hello') send({ kind: 'welcome', value: welcome })
          else if (message.kind === 'lease' && message.value.fence !== undefined) {
            renewals += 1
            if (renewals === 2) send({ kind: 'held', value: { forMs: 1 } })
          } else if (message.kind === 'lease') {
            // The first renewal is answered now.
            if (renewals > 0) send({ kind: 'leased', value: { fence: 1 } })
            granted += 1
            send({ kind: 'leased', value: { fence: granted } })
          } else {
            if (message.kind === 'sign') signedUnder.push(message.value.fence)
            send({ kind: 'signed', value: { id: message.value.id, signatures: [] } })
          }
        }
      })
    })
    await new Promise<void>((resolve) => late.listen(path, resolve))
    undo.push(() => void late.close())
    let lost: (() => void) | undefined
    const isLost = new Promise<void>((resolve) => {
      lost = resolve
    })
    const node = await attach({ place: { kind: 'socket', path }, isShared: true, onLost: () => lost?.() })
    expect(await node.takeLease()).toBeUndefined()
    await isLost
    expect(await node.takeLease()).toBeUndefined()
    await node.sign(key, proposal(2, 1))
    expect(signedUnder).toEqual([2])
  })

  it('with a used key and a lost record signs nothing until its operator sets a height', async () => {
    const before = await start()
    const node = await attach()
    await node.takeLease()
    await node.sign(key, proposal(7, 1))
    await before.close()
    const [name = ''] = (await readdir(join(folder, 'data'))).filter((one) => one.endsWith('.votes'))
    await rm(join(folder, 'data', name))
    expect(await codeOf(start())).toBe('signer_record_missing')
    await start(configOf(), 9)
    expect((await node.sign(key, proposal(9, 1))).type).toBe('unsigned')
    expect((await node.sign(key, proposal(10, 1))).type).toBe('signed')
  })

  it('signs nothing if a second signer with its key has signed since its start, even after a restart', async () => {
    await start()
    const node = await attach()
    await node.takeLease()
    let fatal: unknown
    const socket = join(folder, 'second.sock')
    const second = { ...configOf({ kind: 'socket', path: socket }), dataDir: join(folder, 'second') }
    const other = await start(second, undefined, (error) => (fatal = error))
    const spare = await attach({ place: { kind: 'socket', path: socket }, seed: Buffer.alloc(32, 2) })
    await spare.takeLease()
    expect((await node.sign(key, proposal(2, 1))).type).toBe('signed')
    const asked = spare.sign(key, proposal(2, 2))
    await until('the end', async () => (fatal === undefined ? undefined : true))
    expect(String(fatal)).toContain('another process')
    expect(await Promise.race([asked, Promise.resolve('unanswered')])).toBe('unanswered')
    await other.close()
    expect(await codeOf(start(second))).toBe('signer_record_missing')
    // Its operator may still name a height.
    await start(second, 2)
  })

  it('rejects a height argument if its record is complete', async () => {
    await (await start()).close()
    expect(await codeOf(start(configOf(), 9))).toBe('config_invalid')
  })

  it('keeps every answered request if the end of its record file is torn', async () => {
    const before = await start()
    const node = await attach()
    await node.takeLease()
    await node.sign(key, proposal(2, 1))
    await before.close()
    const [name = ''] = (await readdir(join(folder, 'data'))).filter((one) => one.endsWith('.votes'))
    const file = join(folder, 'data', name)
    const { size } = await stat(file)
    await appendFile(file, Buffer.alloc(9, 0xff))
    await start()
    expect((await node.sign(key, proposal(2, 2))).type).toBe('unsigned')
    expect((await stat(file)).size).toBeGreaterThanOrEqual(size)
  })

  it('restricts access to the socket to its user', async () => {
    await start()
    expect((await stat(join(folder, 'signer.sock'))).mode & 0o777).toBe(0o600)
  })

  it('closes a connection after a malformed message, and continues to serve other connections', async () => {
    await start()
    for (const bytes of [Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.alloc(64, 0xff), Buffer.from([0, 0, 0, 1, 9])]) {
      const outsider = connect(join(folder, 'signer.sock'))
      const ended = new Promise((resolve) => outsider.once('close', resolve))
      outsider.on('error', () => {})
      outsider.write(bytes)
      await ended
    }
    expect(await (await attach()).takeLease()).toBeUndefined()
  })

  it('is refused by a node of another chain', async () => {
    await start()
    expect(await codeOf(attach({ chainHash: Buffer.alloc(32) }))).toBe('signer_refused')
  })

  it('replaces a stale socket file, but no other file', async () => {
    const path = join(folder, 'signer.sock')
    await writeFile(path, 'no socket')
    expect(await codeOf(start())).toBe('address_in_use')
    expect(await readFile(path, 'utf8')).toBe('no socket')
    await rm(path)
    const program = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', program])
    expect((await lstat(path)).isSocket()).toBe(true)
    await start()
    expect((await attach()).keys).toEqual([key])
  })

  it('is reported as unreachable if nothing listens at its address', async () => {
    expect(await codeOf(attach())).toBe('signer_unreachable')
  })
})

describe('a signer over TLS', () => {
  let identity: KeyPair
  let node: KeyPair
  let place: SignerPlace

  beforeEach(async () => {
    identity = await generateKeyPair('ed25519')
    node = await generateKeyPair('ed25519')
    const keyFile = join(folder, 'identity.json')
    await writeKeyFile(keyFile, identity)
    const address = { host: '127.0.0.1', port: 0 }
    const { address: bound } = await start(
      configOf({ kind: 'tls', address, keyFile, nodes: [keyString(node.publicKey.bytes)] }),
    )
    const port = Number(bound.slice(bound.lastIndexOf(':') + 1))
    place = { kind: 'tls', address: { host: '127.0.0.1', port }, key: keyString(identity.publicKey.bytes) }
  })

  it('serves nodes on its list', async () => {
    const client = await attach({ place, seed: node.secret })
    expect(await client.takeLease()).toBeUndefined()
    expect((await client.sign(key, proposal(2, 1))).type).toBe('signed')
  })

  it('refuses a node that is not on its list', async () => {
    const outsider = await generateKeyPair('ed25519')
    expect(await codeOf(attach({ place, seed: outsider.secret }))).toMatch(/^signer_(refused|unreachable)$/)
  })

  it('is refused by a node that expects another key', async () => {
    const other = await generateKeyPair('ed25519')
    const wrong = { ...place, key: keyString(other.publicKey.bytes) } as SignerPlace
    expect(await codeOf(attach({ place: wrong, seed: node.secret }))).toBe('signer_refused')
  })
})

describe('the exit of a signer', () => {
  it('is not reported as a bug if its folder was taken over or its disk failed', () => {
    const taken = new LedgerError('data_dir_locked', 'another process took over /signer')
    expect(endingOf(taken)).toBe(taken)
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    expect(endingOf(full)).toMatchObject({ code: 'storage_failed', exit: 1 })
    expect(endingOf(full).message).toContain('cannot write the record of the key')
  })

  it('is reported as a bug for any other reason', () => {
    expect(endingOf(new TypeError('x'))).toMatchObject({ code: 'internal', exit: 7 })
  })
})
