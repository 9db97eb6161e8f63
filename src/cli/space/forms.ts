/** Owns the command line forms of manifests: arguments, files, texts of entries. */

import { Args } from '@oclif/core'
import type { CausewayClient } from '../../client/index.js'
import { type Json, varintBig } from '../../codec/index.js'
import { LedgerError } from '../../model/errors.js'
import { getJson, textOf, type View, viewOf, viewsOf } from '../gateway/gateway.js'
import { accountArg } from '../input/texts.js'
import type { Drafting } from '../ledger/command.js'
import { usageError } from '../terminal/failure.js'

export const manifestArgs = {
  dataspace: Args.string({ description: 'number of the dataspace', required: true, ignoreStdin: true }),
  account: accountArg({ description: 'address or alias of the guest', required: true, ignoreStdin: true }),
}

/** Number of a dataspace; throws `usage` for any other text. */
export function dataspaceArg(text: string): string {
  if (varintBig.fromJson(text).ok) return text
  throw usageError(`"${text}" is not the number of a dataspace`, '`causeway lane dataspace list` shows the dataspaces.')
}

/** JSON of a manifest with resolved accounts and its version, by default the next one. */
export async function manifestOfFile(file: Json, { account, client }: Drafting): Promise<Record<string, Json>> {
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    throw new LedgerError('bad_value', 'expected the fields of PublishManifest: {"dataspace": "7", "account": ...}')
  const manifest = { ...(file as Record<string, Json>) }
  const { account: guest, dataspace, version, entries } = manifest
  if (typeof guest === 'string') manifest.account = await account(guest)
  if (Array.isArray(entries)) manifest.entries = await Promise.all(entries.map((entry) => resolved(entry, account)))
  if (version === undefined && typeof dataspace === 'string' && typeof manifest.account === 'string')
    manifest.version = await nextVersion(client, dataspace, manifest.account)
  return manifest
}

/** Entry whose counterparty is an address. */
async function resolved(entry: Json, account: Drafting['account']): Promise<Json> {
  const { scope } = viewOf(entry)
  const { counterparty } = viewOf(scope)
  if (typeof counterparty !== 'string' || counterparty.startsWith('*@')) return entry
  return { ...viewOf(entry), scope: { ...viewOf(scope), counterparty: await account(counterparty) } } as Json
}

async function nextVersion(client: CausewayClient, dataspace: string, account: string): Promise<number> {
  try {
    const view = viewOf(await getJson(client, ({ spaces }) => spaces.manifest, { params: { dataspace, account } }))
    return Number(view.version) + 1
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'not_found') return 1
    throw error
  }
}

/** Entries of a manifest, one per line, with their numbers. */
export const entriesText = ({ entries }: View): string =>
  viewsOf(entries)
    .map((entry, index) => `${index} ${entryText(entry)}`)
    .join('\n')

function entryText({ scope, effect, notes }: View): string {
  const { instruction, definition, counterparty } = viewOf(scope)
  const about = [instruction, definition, counterparty && `to ${textOf(counterparty)}`].map((part) => textOf(part))
  const { Allow: allow, Deny: deny } = viewOf(effect)
  const [verb, more] = deny === undefined ? ['allow', amountText(viewOf(allow))] : ['deny', textOf(viewOf(deny).reason)]
  const words = [verb, ...about.filter((part) => part !== undefined), more, notes && `(${textOf(notes)})`]
  return words.filter(Boolean).join(' ')
}

function amountText({ max_amount: amount, window }: View): string | undefined {
  return textOf(amount) === undefined ? undefined : `at most ${textOf(amount)} a ${textOf(window)?.toLowerCase()}`
}
