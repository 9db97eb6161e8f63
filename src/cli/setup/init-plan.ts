/** Owns the plan of `init`: settings of a peer from flags or prompts, with all faults at once. */
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { isOneOf } from '../../base/guards.js'
import { LedgerError } from '../../model/errors.js'
import { nameFault } from '../../model/index.js'
import { PASSPHRASE_ENV } from '../settings/key.js'
import { canAsk, type Questions, withQuestions } from '../terminal/ask.js'
import { pairs } from '../terminal/output.js'
import { peerFiles } from './peer-files.js'

/** Default port of the links. */
const DEFAULT_LINK_PORT = 7400
const DEFAULT_GATEWAY = '127.0.0.1:8080'
const ROLES = ['validator', 'observer'] as const

/** Plan of a new peer. */
export interface PeerPlan {
  readonly folder: string
  readonly name: string
  readonly role: (typeof ROLES)[number]
  /** Addresses at which other peers reach it, as host:port. */
  readonly addresses: readonly string[]
  readonly listen: string
  readonly gatewayListen: string
  /** Passphrase of its keys; undefined: they are not encrypted. */
  readonly passphrase: string | undefined
}

/** Flags of the plan. */
export interface PlanFlags {
  readonly dir?: string | undefined
  readonly name?: string | undefined
  readonly address?: readonly string[] | undefined
  readonly listen?: string | undefined
  readonly 'gateway-listen'?: string | undefined
  readonly observer: boolean
  readonly 'no-input': boolean
}

/** Parse host:port; undefined for another text. */
export type HostPortParser = (text: string) => { readonly port: number } | undefined

const hostPortFaultOf =
  (parse: HostPortParser) =>
  (text: string): string | undefined =>
    parse(text) === undefined ? 'expected host:port, for example bank-a.example:7400' : undefined
const listenOf = (address: string, parse: HostPortParser): string =>
  `0.0.0.0:${parse(address)?.port ?? DEFAULT_LINK_PORT}`
const roleFault = (text: string): string | undefined =>
  isOneOf(ROLES, text) ? undefined : `expected one of ${ROLES.join(', ')}`

/** Fault of a folder that already contains a peer. */
function folderFault(folder: string): string | undefined {
  const { validator, network, card, config } = peerFiles(folder)
  const taken = [validator, network, card, config].find((file) => existsSync(file))
  return taken === undefined ? undefined : `${taken} exists: this folder already contains a peer`
}

/** Plan of a peer from flags and answers; undefined if the user left the prompts. Throws `usage` with all faults. */
export async function planPeer(flags: PlanFlags, parse: HostPortParser): Promise<PeerPlan | undefined> {
  requireSound(flags, parse)
  const { name, address } = flags
  // With both flags nothing else is required, for example in a pasted script: no prompts are shown.
  if (name !== undefined && address !== undefined) return planOf(flags, name, address, parse)
  return withQuestions((questions) => askPlan(questions, flags, parse))
}

function requireSound(flags: PlanFlags, parse: HostPortParser): void {
  const hostPortFault = hostPortFaultOf(parse)
  const { name, address, listen, 'gateway-listen': gatewayListen } = flags
  const asks = canAsk(flags['no-input'])
  const checks: readonly (readonly [string, string | undefined, (text: string) => string | undefined])[] = [
    ['--name', name, nameFault],
    ...(address ?? []).map((one) => ['--address', one, hostPortFault] as const),
    ['--listen', listen, hostPortFault],
    ['--gateway-listen', gatewayListen, hostPortFault],
  ]
  const faults = checks.flatMap(([path, value, faultOf]) => {
    const message = value === undefined ? undefined : faultOf(value)
    return message === undefined ? [] : [{ path, message, value }]
  })
  const missing = [
    ...(name === undefined ? [{ path: '--name', message: 'the name of the peer is missing' }] : []),
    ...(address === undefined ? [{ path: '--address', message: 'the address of the peer is missing' }] : []),
  ]
  const all = asks ? faults : [...missing, ...faults]
  if (all.length === 0) return
  throw new LedgerError('usage', 'cannot create a peer from these flags', {
    hint: '`causeway init --help` has examples.',
    details: { faults: all },
  })
}

function planOf(flags: PlanFlags, name: string, addresses: readonly string[], parse: HostPortParser): PeerPlan {
  return {
    folder: flags.dir ?? '.',
    name,
    role: flags.observer ? 'observer' : 'validator',
    addresses,
    listen: flags.listen ?? listenOf(addresses[0] ?? '', parse),
    gatewayListen: flags['gateway-listen'] ?? DEFAULT_GATEWAY,
    passphrase: process.env[PASSPHRASE_ENV] || undefined,
  }
}

/** Prompt for values without a flag, show the plan and ask for confirmation; throws `usage` if it is declined. */
async function askPlan(questions: Questions, flags: PlanFlags, parse: HostPortParser): Promise<PeerPlan> {
  const hostPortFault = hostPortFaultOf(parse)
  const host = hostname()
  const name =
    flags.name ??
    (await questions.ask({ text: 'Name of this peer', fallback: host.split('.')[0] ?? 'peer', fault: nameFault }))
  const folder =
    flags.dir ?? (await questions.ask({ text: 'Folder of its keys and files', fallback: name, fault: folderFault }))
  const role = flags.observer
    ? 'observer'
    : await questions.ask({ text: 'Role, validator or observer', fallback: 'validator', fault: roleFault })
  const addresses = flags.address ?? [
    await questions.ask({
      text: 'Address at which other peers reach it',
      fallback: `${host}:${DEFAULT_LINK_PORT}`,
      fault: hostPortFault,
    }),
  ]
  const listen =
    flags.listen ??
    (await questions.ask({
      text: 'Listen address for links of peers',
      fallback: listenOf(addresses[0] ?? '', parse),
      fault: hostPortFault,
    }))
  const gatewayListen =
    flags['gateway-listen'] ??
    (await questions.ask({
      text: 'Listen address of its gateway for clients',
      fallback: DEFAULT_GATEWAY,
      fault: hostPortFault,
    }))
  const answered = { dir: folder, listen, 'gateway-listen': gatewayListen, observer: role === 'observer' }
  const flagsPlan = planOf({ ...flags, ...answered }, name, addresses, parse)
  // A variable that is set and empty means no passphrase.
  const asksSecret = process.env[PASSPHRASE_ENV] === undefined
  const plan = asksSecret
    ? { ...flagsPlan, passphrase: await questions.askSecret('Passphrase that encrypts its keys') }
    : flagsPlan
  questions.print(`\n${pairs(summaryOf(plan))}\n`)
  const answer = await questions.ask({ text: 'Create this peer, yes or no', fallback: 'yes', fault: yesOrNoFault })
  if (!isYes(answer)) throw new LedgerError('usage', 'not confirmed: nothing was written')
  return plan
}

const isYes = (answer: string): boolean => /^y(es)?$/i.test(answer)
const yesOrNoFault = (answer: string): string | undefined =>
  isYes(answer) || /^no?$/i.test(answer) ? undefined : 'expected yes or no'

const summaryOf = (plan: PeerPlan): readonly (readonly [string, string])[] => [
  ['peer', `${plan.name} (${plan.role})`],
  ['folder', plan.folder],
  ['public address', plan.addresses.join(', ')],
  ['links', plan.listen],
  ['gateway', plan.gatewayListen],
  ['keys', plan.passphrase === undefined ? 'not encrypted' : 'encrypted with a passphrase'],
]
