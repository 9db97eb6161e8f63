/**
 * Owns keys held by a program (docs/reference/signer-command.md), such as a hardware module, a key service or a token:
 * it receives requests for its public key and for signatures, one line of JSON each. Its responses are verified before
 * use.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { Mutex } from '../base/mutex.js'
import { parseJson } from '../codec/json-text.js'
import { formatPublicKey, type PublicKey, parsePublicKey } from '../crypto/keys.js'
import type { ExternalKey } from '../crypto/signing-key.js'
import { LedgerError } from '../model/errors.js'

/** Timeout for a response, in ms: the user may have to touch a device or enter a PIN. */
export const KEY_PROGRAM_TIMEOUT_MS = 120_000
/** Maximum length of a response line, in characters: a signature has 128, an error is a sentence. */
const LINE_MAX = 4_096
/** Size of a signature of an account, in bytes. */
const SIGNATURE_BYTES = 64

/** Program and its arguments, run without a shell. */
export type KeyCommand = readonly [program: string, ...args: readonly string[]]

type Answer = Readonly<Record<string, unknown>>

const fault = ([program]: KeyCommand, message: string): LedgerError =>
  new LedgerError('key_program_failed', `${program}: ${message}`, { details: { program } })

/** Running program, and the pending response line. */
class Running {
  private pending = ''
  private fault: LedgerError | undefined
  private waiter: { resolve(line: string): void; reject(error: LedgerError): void } | undefined

  constructor(
    readonly child: ChildProcess,
    private readonly command: KeyCommand,
  ) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.onOutput(text))
    child.once('error', ({ code }: NodeJS.ErrnoException) =>
      this.fail(`cannot run the program (${code ?? 'unknown error'})`),
    )
    child.once('close', () => this.fail('it exited without a response'))
    // The pipe of an ended program fails; its end is reported separately.
    child.stdin?.on('error', () => undefined)
  }

  /** False if the program ended, or sent more than was requested. */
  get isUsable(): boolean {
    return this.fault === undefined && this.pending === ''
  }

  /** Next line of its output. */
  line(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.waiter = { resolve, reject }
      if (this.fault !== undefined) reject(this.fault)
      else this.onOutput('')
    })
  }

  private onOutput(text: string): void {
    this.pending += text
    const end = this.pending.indexOf('\n')
    if ((end < 0 ? this.pending.length : end) > LINE_MAX) this.fail(`a response has more than ${LINE_MAX} characters`)
    else if (end >= 0 && this.waiter !== undefined) {
      const line = this.pending.slice(0, end)
      this.pending = this.pending.slice(end + 1)
      this.waiter.resolve(line)
      this.waiter = undefined
    }
  }

  private fail(message: string): void {
    this.fault ??= fault(this.command, message)
    this.pending = ''
    this.child.kill()
    this.waiter?.reject(this.fault)
    this.waiter = undefined
  }
}

/**
 * Sequential requests to the program, since a device processes one at a time. It ends with this process at the latest.
 */
class Conversation {
  private running: Running | undefined
  private nextId = 1
  private readonly mutex = new Mutex()

  constructor(
    private readonly command: KeyCommand,
    private readonly timeoutMs: number,
  ) {}

  /** Send a request after all earlier responses. */
  ask(request: Readonly<Record<string, string>>): Promise<Answer> {
    return this.mutex.run(() => this.exchange(request))
  }

  private async exchange(request: Readonly<Record<string, string>>): Promise<Answer> {
    const running = this.running?.isUsable === true ? this.running : this.start()
    const { child } = running
    const id = this.nextId
    this.nextId += 1
    hold(child, true)
    let timer: NodeJS.Timeout | undefined
    try {
      child.stdin?.write(`${JSON.stringify({ version: 1, id, ...request })}\n`)
      const line = await Promise.race([
        running.line(),
        new Promise<never>((_, reject) => {
          const late = () => reject(fault(this.command, `no response within ${this.timeoutMs / 1_000} s`))
          timer = setTimeout(late, this.timeoutMs)
        }),
      ])
      return this.read(line, id)
    } catch (error) {
      // Its further output belongs to no pending request.
      this.running = undefined
      child.kill()
      throw error
    } finally {
      clearTimeout(timer)
      hold(child, false)
    }
  }

  private start(): Running {
    // A program that sent too much would wait for requests that never come.
    this.running?.child.kill()
    const [program, ...args] = this.command
    // Its own output, such as a prompt for a PIN, goes to the terminal.
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true })
    this.running = new Running(child, this.command)
    return this.running
  }

  private read(line: string, id: number): Answer {
    let answer: unknown
    try {
      answer = parseJson(line)
    } catch {
      throw fault(this.command, 'its response is not a line of JSON')
    }
    if (typeof answer !== 'object' || answer === null || (answer as Answer).id !== id) {
      throw fault(this.command, `its response does not have the id ${id} of the request`)
    }
    const { error } = answer as Answer
    if (error !== undefined) throw fault(this.command, `it refused: ${String(error)}`)
    return answer as Answer
  }
}

/** Set whether the program keeps this process alive, which it must do only while a request is pending. */
function hold(child: ChildProcess, isAsked: boolean): void {
  for (const part of [child, child.stdin, child.stdout]) {
    // Pipes of a child are sockets, which their types do not show.
    const holder = part instanceof Socket || part === child ? part : undefined
    if (isAsked) holder?.ref()
    else holder?.unref()
  }
}

/**
 * Key held by a program. If `expected` is given, the program is started at the first signature and must sign with that
 * key; otherwise its key is requested now. Throws `key_program_failed`.
 */
export async function openKeyProgram(
  command: KeyCommand,
  expected?: PublicKey,
  timeoutMs = KEY_PROGRAM_TIMEOUT_MS,
): Promise<ExternalKey> {
  const program = new Conversation(command, timeoutMs)
  const publicKey = expected ?? (await keyOf(program, command))
  return {
    publicKey,
    sign: async (message) => {
      const request = { method: 'sign', public_key: formatPublicKey(publicKey) }
      const { signature } = await program.ask({ ...request, message: Buffer.from(message).toString('hex') })
      const bytes =
        typeof signature === 'string' && /^[0-9a-f]+$/i.test(signature) ? Buffer.from(signature, 'hex') : undefined
      if (bytes?.length !== SIGNATURE_BYTES)
        throw fault(command, `\`signature\` must have ${2 * SIGNATURE_BYTES} hex digits`)
      const checked = await checkedSignature(publicKey, message, bytes)
      if (checked === undefined) {
        throw fault(command, `the signature is not by ${formatPublicKey(publicKey)}`)
      }
      return checked
    },
  }
}

async function keyOf(program: Conversation, command: KeyCommand): Promise<PublicKey> {
  const { public_key: text } = await program.ask({ method: 'public_key' })
  const key = typeof text === 'string' ? parsePublicKey(text) : undefined
  if (key === undefined) throw fault(command, '`public_key` is not a public key')
  if (key.algorithm === 'bls') throw fault(command, 'BLS keys sign votes, not transactions')
  return key
}

/** Valid signature in canonical form, since devices return either of two forms for secp256k1. */
async function checkedSignature(key: PublicKey, message: Uint8Array, signature: Buffer): Promise<Buffer | undefined> {
  if (key.algorithm === 'ed25519') {
    const { verifyEd25519 } = await import('../crypto/ed25519.js')
    return verifyEd25519(key.bytes, message, signature) ? signature : undefined
  }
  const { lowS, verifySecp256k1 } = await import('../crypto/secp256k1.js')
  const low = lowS(signature)
  return verifySecp256k1(key.bytes, message, low) ? low : undefined
}
