/** Owns the entry of the reader thread: one body after the other, in order of arrival. */
import { parentPort } from 'node:worker_threads'
import { parsePayment } from '../message/parse.js'
import type { ParseOptions, ParseResult } from '../message/payment.js'

/** A body to read; its memory is transferred. */
export interface ReadRequest {
  readonly id: number
  readonly body: ArrayBuffer
  readonly options: ParseOptions
}

/** The verdict on a body as the channel clones it (a Buffer arrives as a Uint8Array), or the bug that kept it away. */
export type ReadResponse =
  | { readonly id: number; readonly result: ParseResult }
  | { readonly id: number; readonly error: Error }

const port = parentPort
if (port === null) throw new Error('the reader thread is started by the message reader')

const read = ({ id, body, options }: ReadRequest): ReadResponse => {
  try {
    return { id, result: parsePayment(new Uint8Array(body), options) }
  } catch (error) {
    return { id, error: error instanceof Error ? error : new Error(String(error)) }
  }
}

port.on('message', (request: ReadRequest) => port.postMessage(read(request)))
