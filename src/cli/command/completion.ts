/**
 * Owns the scripts of shell completion: commands, flags and values of the manifest; completing does not start the
 * program.
 */
import { quoted } from '../text/shell.js'

/** Completion data of a command. */
export interface CompletedCommand {
  /** Words after `causeway`, separated by blanks. */
  readonly words: string
  readonly summary: string
  readonly flags: readonly CompletedFlag[]
}
export interface CompletedFlag {
  readonly name: string
  readonly summary: string
  /** Listed values of the flag, if any. */
  readonly options: readonly string[]
  readonly takesValue: boolean
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** Next words after each prefix of a command; the key `''` has the first words. */
function nextWords(commands: readonly CompletedCommand[]): Map<string, Set<string>> {
  const next = new Map<string, Set<string>>()
  for (const { words } of commands) {
    const parts = words.split(' ')
    for (const [at, word] of parts.entries()) {
      const before = parts.slice(0, at).join(' ')
      next.set(before, (next.get(before) ?? new Set()).add(word))
    }
  }
  return next
}

/** Bash script: a table of next words, else file names. Zsh uses it too, through bashcompinit. */
function bashScript(commands: readonly CompletedCommand[]): string {
  const words = [...nextWords(commands)].map(
    ([before, after]) => `    ${quoted(before)}) echo ${quoted([...after].join(' '))} ;;`,
  )
  const flags = commands.map(
    ({ words: name, flags: all }) =>
      `    ${quoted(name)}) echo ${quoted(all.map((flag) => `--${flag.name}`).join(' '))} ;;`,
  )
  const options = commands.flatMap(({ words: name, flags: all }) =>
    all
      .filter((flag) => flag.options.length > 0)
      .map((flag) => `    ${quoted(`${name} --${flag.name}`)}) echo ${quoted(flag.options.join(' '))} ;;`),
  )
  return `# causeway completion for bash: source <(causeway completion bash)
_causeway_words() { case "$1" in
${words.join('\n')}
  esac; }
_causeway_flags() { case "$1" in
${flags.join('\n')}
  esac; }
_causeway_options() { case "$1" in
${options.join('\n')}
  esac; }
_causeway() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" name='' word
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    case " $(_causeway_words "$name") " in
      *" $word "*) name="\${name:+$name }$word" ;;
      *) break ;;
    esac
  done
  local found
  case "$current" in
    -*) found="$(_causeway_flags "$name")" ;;
    *) found="$(_causeway_options "$name $previous")"; [ -n "$found" ] || found="$(_causeway_words "$name")" ;;
  esac
  COMPREPLY=($(compgen -W "$found" -- "$current"))
}
complete -o default -F _causeway causeway
`
}

/** Fish script: one line per word and flag, with descriptions. */
function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ words, summary, flags }) => {
    const parts = words.split(' ')
    const last = parts.at(-1) ?? ''
    const before = parts.slice(0, -1).join(' ')
    return [
      `complete -c causeway -f -n ${quoted(`_causeway_at "${before}"`)} -a ${quoted(last)} -d ${quoted(summary)}`,
      ...flags.map(({ name, summary: what, options, takesValue }) =>
        [
          `complete -c causeway -n ${quoted(`_causeway_in "${words}"`)} -l ${quoted(name)} -d ${quoted(what)}`,
          ...(takesValue ? ['-r'] : []),
          ...(options.length === 0 ? [] : [`-f -a ${quoted(options.join(' '))}`]),
        ].join(' '),
      ),
    ]
  })
  const topics = [...nextWords(commands)].flatMap(([before, after]) =>
    [...after]
      .filter((word) => !commands.some(({ words }) => words === (before === '' ? word : `${before} ${word}`)))
      .map((word) => `complete -c causeway -f -n ${quoted(`_causeway_at "${before}"`)} -a ${quoted(word)}`),
  )
  return `# causeway completion for fish: causeway completion fish | source
function _causeway_typed
  set -l typed
  for word in (commandline -opc)[2..]
    string match -q -- '-*' $word; or set -a typed $word
  end
  echo "$typed"
end
function _causeway_at
  set -l typed (_causeway_typed)
  test "$typed" = "$argv[1]"
end
function _causeway_in
  set -l typed (_causeway_typed)
  test "$typed" = "$argv[1]"; or string match -q -- "$argv[1] *" "$typed"
end
${[...topics, ...lines].join('\n')}
`
}

/** Completion script of a shell. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(commands)
    case 'zsh':
      return `#compdef causeway
# causeway completion for zsh: source <(causeway completion zsh)
whence compdef > /dev/null || { autoload -U compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
${bashScript(commands)}`
    case 'fish':
      return fishScript(commands)
  }
}
