/** Owns the receiver with which webhooks are tried: verifies, prints, keeps. */
import { appendFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { LedgerError } from '../../model/errors.js'
import { INTERRUPTED, interruptible } from '../command/interrupt.js'
import type { Output } from '../command/output.js'
import { leaveWithReader } from '../command/standard-output.js'

/** Longest delivery that is read, in bytes: a node sends at most 20 KiB. */
const BODY_MAX_BYTES = 64 * 1024
const OK = 204
const UNSIGNED = 401

/** How a receiver listens. */
export interface ListenOptions {
  readonly port: number
  readonly secretFile: string
  /** File of JSON lines that deliveries are appended to. */
  readonly file: string | undefined
  /** Status that every delivery is answered with. */
  readonly fail: number | undefined
  /** Different events after which it ends. */
  readonly until: number | undefined
}

async function textOfFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new LedgerError('file_unreadable', `${path}: cannot be read`, { cause: error })
  }
}

/** Ids of deliveries that a file holds. */
async function idsIn(path: string | undefined): Promise<Set<string>> {
  const text = path === undefined ? undefined : await textOfFile(path)
  const lines = (text ?? '').split('\n').filter((line) => line !== '')
  return new Set(lines.map((line) => String((JSON.parse(line) as { readonly id: unknown }).id)))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > BODY_MAX_BYTES) throw new LedgerError('internal', `a delivery has at most ${BODY_MAX_BYTES} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Listens until enough came or the user interrupts; the exit code. */
export async function listen(out: Output, { port, secretFile, file, fail, until }: ListenOptions): Promise<number> {
  const secret = (await textOfFile(secretFile))?.trim()
  if (secret === undefined) throw new LedgerError('file_missing', `${secretFile}: there is no such file`)
  const webhook = new Webhook(secret)
  const known = await idsIn(file)
  leaveWithReader()
  return interruptible(async (signal) => {
    let finish = (): void => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    signal.addEventListener('abort', () => finish(), { once: true })
    const enough = (): boolean => until !== undefined && known.size >= until
    const server = createServer((request, response) => {
      const answer = async (): Promise<number> => {
        const text = await bodyOf(request)
        const id = String(request.headers['webhook-id'])
        try {
          webhook.verify(text, request.headers as Record<string, string>)
        } catch (error) {
          out.note(`${id}: refused, ${error instanceof Error ? error.message : String(error)}`)
          return UNSIGNED
        }
        if (fail !== undefined) {
          out.note(`${id}: answered ${fail}`)
          return fail
        }
        const body = JSON.parse(text) as { readonly type?: string }
        const record = { id, ...body, repeated: known.has(id) }
        known.add(id)
        if (file !== undefined) appendFileSync(file, `${JSON.stringify(record)}\n`)
        out.line(record, `${id}  ${body.type ?? ''}${record.repeated ? '  again' : ''}`)
        return OK
      }
      answer().then(
        (status) => {
          response.writeHead(status).end(enough() ? () => finish() : undefined)
        },
        () => response.destroy(),
      )
    })
    const { port: bound } = await listening(server, port)
    out.note(`listening on http://127.0.0.1:${bound}/`)
    if (enough()) finish()
    await finished
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    return signal.aborted ? INTERRUPTED : 0
  })
}

const listening = (server: Server, port: number): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new LedgerError(
          error.code === 'EADDRINUSE' ? 'address_in_use' : 'internal',
          `127.0.0.1:${port}: ${error.message}`,
        ),
      ),
    )
    server.listen(port, '127.0.0.1', () => resolve(server.address() as AddressInfo))
  })
