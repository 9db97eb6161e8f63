/** Owns the receiver for testing webhooks: it verifies, prints and stores deliveries. */

import { appendFileSync, existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { errorMessage } from '../../base/thrown.js'
import { parseJson } from '../../codec/json-text.js'
import { readAll, readBounded } from '../../files/bounded-file.js'
import { OWNER_ONLY } from '../../files/write-file.js'
import { LedgerError } from '../../model/errors.js'
import { INTERRUPTED, interruptible } from '../terminal/interrupt.js'
import type { Output } from '../terminal/output.js'
import { leaveWithReader } from '../terminal/standard-output.js'

/** Maximum size of a delivery, in bytes: a node sends at most 20 KiB. */
const BODY_MAX_BYTES = 64 * 1024
/** Maximum size of a file of deliveries to continue, in bytes: a day of deliveries. */
const FILE_MAX_BYTES = 256 * 1024 * 1024
/** Maximum size of a secret file, in bytes. */
const SECRET_MAX_BYTES = 1_024
const OK = 204
const UNSIGNED = 401

/** Options of the receiver. */
export interface ListenOptions {
  readonly port: number
  readonly secretFile: string
  /** File of JSON lines to which deliveries are appended. */
  readonly file: string | undefined
  /** HTTP status of every response. */
  readonly fail: number | undefined
  /** Number of distinct events after which it ends. */
  readonly until: number | undefined
}

/** Ids of the deliveries in a file. */
async function idsIn(path: string | undefined): Promise<Set<string>> {
  if (path === undefined || !existsSync(path)) return new Set()
  const lines = (await readBounded(path, FILE_MAX_BYTES)).toString('utf8').split('\n')
  return new Set(
    lines.filter((line) => line !== '').map((line) => String((parseJson(line) as { readonly id: unknown }).id)),
  )
}

/** Append a delivery to a file; a new file is readable by its owner only. */
export function keep(file: string, record: Readonly<Record<string, unknown>>): void {
  appendFileSync(file, `${JSON.stringify(record)}\n`, { mode: OWNER_ONLY })
}

/** Listen until enough deliveries arrived or the user interrupts; returns the exit code. */
export async function listen(out: Output, { port, secretFile, file, fail, until }: ListenOptions): Promise<number> {
  const webhook = new Webhook((await readBounded(secretFile, SECRET_MAX_BYTES)).toString('utf8').trim())
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
        const text = (await readAll(request, 'a delivery', BODY_MAX_BYTES)).toString('utf8')
        const id = String(request.headers['webhook-id'])
        try {
          webhook.verify(text, request.headers as Record<string, string>)
        } catch (error) {
          out.note(`${id}: refused, ${errorMessage(error)}`)
          return UNSIGNED
        }
        if (fail !== undefined) {
          out.note(`${id}: answered ${fail}`)
          return fail
        }
        const body = parseJson(text) as { readonly type?: string }
        const record = { id, ...body, repeated: known.has(id) }
        known.add(id)
        if (file !== undefined) keep(file, record)
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
