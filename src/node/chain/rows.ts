/** Owns the readable form of state rows for reports and errors. */
import type { CodecContext, Json } from '../../codec/index.js'
import { type Abi, SYSTEM_TABLES } from '../../executor/index.js'
import { type RowKey, rowKeyBytes, TABLE_ID_BYTES, tableIdOf } from '../../state/index.js'

/** Maximum length of a displayed value, in bytes. */
export const VALUE_MAX_BYTES = 4 * 1024

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Table of a row; undefined if the ABI does not define it. */
const tableOf = (abi: Abi, row: RowKey) =>
  [...SYSTEM_TABLES, ...abi.features.flatMap((one) => one.tables)].find((one) => one.id === tableIdOf(row))

/** Table and key of a row in readable form. */
export function describeRow(abi: Abi, codec: CodecContext, row: RowKey): { table: string; key: Json; row: string } {
  const bytes = rowKeyBytes(row)
  const own = bytes.subarray(TABLE_ID_BYTES)
  const table = tableOf(abi, row)
  if (table === undefined) return { table: `table ${tableIdOf(row)}`, key: hex(own), row: hex(bytes) }
  const key = table.key.decode(own, codec)
  const shown = key.ok ? table.key.toJson(key.value as never, codec) : hex(own)
  return { table: table.name, key: shown, row: hex(bytes) }
}

/** Value of a row as JSON, or in hexadecimal if it does not decode. */
export function describeValue(abi: Abi, codec: CodecContext, row: RowKey, bytes: Uint8Array | undefined): Json {
  if (bytes === undefined) return null
  if (bytes.length > VALUE_MAX_BYTES) return `${bytes.length} bytes`
  const table = tableOf(abi, row)
  const decoded = table?.value.decode(bytes, codec)
  return table !== undefined && decoded?.ok === true ? table.value.toJson(decoded.value as never, codec) : hex(bytes)
}
