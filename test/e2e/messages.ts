/** Owns the payment messages of the end-to-end tests: the fixture with other ids and amounts. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Replaced parts of the fixture. */
const FIXTURE = {
  id: 'E2E-1',
  amount: '10.01',
  date: '2026-05-11',
  uetr: '2c1d9f04-6e6b-4f7a-9b35-0d8e54c7a1f2',
} as const
/** Settlement date of all messages of a run: gateways take none far in the past. */
export const TODAY = new Date().toISOString().slice(0, 10)
/** Accounts and banks of the fixture, none of which a new network knows. */
export const PARTIES = {
  debtorIban: 'NL48QQNL0417164300',
  creditorIban: 'ES5291820004450200051332',
  debtorBic: 'QQNLNL2A',
} as const

/** A UETR of a message: the ledger makes one payment of each. */
function uetrOf(id: string): string {
  const digits = createHash('sha256').update(id).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

/** The fixture as another message. */
export async function message(change: { readonly id?: string; readonly amount?: string } = {}): Promise<string> {
  const text = await readFile(join(process.cwd(), 'test', 'e2e', 'fixtures', 'cbpr-pacs008.xml'), 'utf8')
  return text
    .replaceAll(FIXTURE.id, change.id ?? FIXTURE.id)
    .replaceAll(FIXTURE.amount, change.amount ?? FIXTURE.amount)
    .replaceAll(`>${FIXTURE.date}<`, `>${TODAY}<`)
    .replaceAll(FIXTURE.uetr, uetrOf(change.id ?? FIXTURE.id))
}

/** The message in a file of the folder; gives its path. */
export async function messageFile(
  folder: string,
  change: { readonly id?: string; readonly amount?: string } = {},
): Promise<string> {
  const path = join(folder, `${change.id ?? FIXTURE.id}-${change.amount ?? FIXTURE.amount}.xml`)
  await writeFile(path, await message(change))
  return path
}

/** Response of a gateway about a message. */
export interface IsoRecord {
  readonly message_id: string
  readonly transaction_hash: string | null
  readonly pacs002_code: string
  readonly replayed: boolean
  readonly amount: string
}

/** Posts a message to a gateway. */
export async function post(gateway: string, body: string): Promise<{ readonly status: number; readonly json: never }> {
  const answer = await fetch(`${gateway}/v1/iso20022/pacs008`, {
    method: 'POST',
    headers: { 'content-type': 'application/xml' },
    body,
  })
  return { status: answer.status, json: (await answer.json()) as never }
}
