/** Owns blocks and branches of a body during compilation: merge points, their operands, and branch targets to patch. */
import { BR_TABLE_MAX } from './limits.js'
import { OP } from './lowered.js'
import { CONTROL_GAS, I32, I64, type ValueType } from './opcodes.js'
import { type Control, NOWHERE, Operands } from './operands.js'

/** Operands and the enclosing blocks. */
export class Blocks extends Operands {
  // Blocks.

  private blockType(): ValueType | undefined {
    const { reader } = this
    const code = reader.byte()
    if (code === 0x40) return undefined
    if (code === I32 || code === I64) return code
    return reader.fault('a block must have no result, an i32 or an i64', reader.pos - 1)
  }

  protected block(): void {
    const result = this.blockType()
    const isLive = this.isReached
    if (isLive) this.settle()
    this.enter(0x02, result, isLive)
  }

  protected loop(): void {
    const result = this.blockType()
    const isLive = this.isReached
    if (isLive) this.settle()
    this.enter(0x03, result, isLive, isLive ? this.openSegment() : -1)
  }

  protected if(): void {
    this.charge(CONTROL_GAS.if)
    const result = this.blockType()
    const isLive = this.isReached
    this.pop(I32)
    if (!isLive) return this.enter(0x04, result, false)
    const condition = this.slotOf(this.height)
    this.settle()
    this.emit(OP.jumpUnless, condition, 0)
    const toElse = this.length - 1
    this.openSegment()
    this.enter(0x04, result, true, -1, toElse)
  }

  protected else(): void {
    const before = this.control
    if (before.opcode !== 0x04) this.fault('else without if')
    const isReached = this.isReached
    this.popResult(before)
    if (isReached) this.jumpToEnd(before)
    this.leave()
    this.enter(0x05, before.result, before.isLive)
    this.control.toEnd = before.toEnd
    if (before.toElse !== undefined) this.code[before.toElse] = this.openSegment()
  }

  protected end(): void {
    const control = this.control
    if (control.opcode === 0x04 && control.result !== undefined) this.fault('an if with a result must have an else')
    if (this.controls.length === 1) {
      const isReached = this.isReached
      if (control.result !== undefined) this.pop(control.result)
      if (this.height !== control.height) this.fault('operands left at the end of the body')
      if (isReached) this.emitReturn(0)
      this.leave()
      return
    }
    this.popResult(control)
    this.leave()
    if (control.isLive) {
      const here = this.openSegment()
      this.fillEnds(control.toEnd, here)
      if (control.toElse !== undefined) this.code[control.toElse] = here
    }
    if (control.result !== undefined) this.push(control.result)
  }

  /** Pop the result of a block from the operands into its slot, and check that no other operands remain. */
  private popResult({ result, height }: Control): void {
    const isReached = this.isReached
    if (result !== undefined) this.pop(result)
    if (this.height !== height) this.fault('operands left at the end of a block')
    if (result !== undefined && isReached) this.bringHome(height)
  }

  // Branches.

  /** Distance of the target of a branch, in blocks. */
  private depth(): number {
    const depth = this.reader.u32()
    return depth < this.controls.length ? depth : this.fault(`no ${depth + 1} enclosing blocks`)
  }

  private target(depth: number): Control {
    return this.controls[this.controls.length - 1 - depth] as Control
  }

  /** Value that a branch carries to the block; none for a loop, which starts again. */
  private carried({ opcode, result }: Control): ValueType | undefined {
    return opcode === 0x03 ? undefined : result
  }

  private jumpToEnd(control: Control): void {
    this.emit(OP.jump, 0)
    this.chain(control, this.length - 1)
  }

  /** Register a word to be patched with the end of a block. */
  private chain(control: Control, word: number): void {
    this.code[word] = control.toEnd
    control.toEnd = word
  }

  /** Patch a chain of words. */
  private fillEnds(last: number, end: number): void {
    for (let word = last; word !== NOWHERE; ) {
      const before = this.code[word] as number
      this.code[word] = end
      word = before
    }
  }

  /** Emit a return; its value, if any, is the operand at `index`. */
  private emitReturn(index: number): void {
    if (this.def.type.result === undefined) this.emit(OP.return)
    else this.emit(OP.returnValue, this.slotOf(index))
  }

  /** Emit a branch with the topmost operand, if the block has a result. */
  private emitBranch(control: Control): void {
    if (control === this.controls[0]) return this.emitReturn(this.height - 1)
    if (control.opcode === 0x03) return this.emit(OP.jump, control.start)
    if (control.result !== undefined) this.copyTo(this.home(control.height), this.height - 1)
    this.jumpToEnd(control)
  }

  /** True if a jump suffices for the branch: it carries no value, or the value is already in its slot. */
  private isPlain(control: Control): boolean {
    if (control === this.controls[0]) return false
    if (this.carried(control) === undefined) return true
    const top = this.height - 1
    return top === control.height && this.places[top] === this.home(top)
  }

  protected br(): void {
    this.charge(CONTROL_GAS.br)
    const control = this.target(this.depth())
    this.expectTop(this.carried(control))
    if (this.isReached) this.emitBranch(control)
    this.endPath()
  }

  protected brIf(): void {
    this.charge(CONTROL_GAS.br_if)
    const control = this.target(this.depth())
    this.pop(I32)
    const isReached = this.isReached
    const condition = isReached ? this.slotOf(this.height) : -1
    this.expectTop(this.carried(control))
    if (!isReached) return
    if (this.isPlain(control)) {
      this.emit(OP.jumpIf, condition, control.start)
      if (control.opcode !== 0x03) this.chain(control, this.length - 1)
      this.openSegment()
      return
    }
    // A constant is brought to its slot by both paths, or by neither.
    if (this.carried(control) !== undefined) this.slotOf(this.height - 1)
    this.emit(OP.jumpUnless, condition, 0)
    const over = this.length - 1
    this.emitBranch(control)
    this.code[over] = this.openSegment()
  }

  protected brTable(): void {
    const { reader } = this
    this.charge(CONTROL_GAS.br_table)
    const count = reader.count('targets', BR_TABLE_MAX)
    const depths: number[] = []
    for (let index = 0; index <= count; index += 1) depths.push(this.depth())
    const carried = this.carried(this.target(depths[count] as number))
    for (const depth of depths) {
      if (this.carried(this.target(depth)) !== carried) this.fault('the targets have different types')
    }
    this.pop(I32)
    const isReached = this.isReached
    const selector = isReached ? this.slotOf(this.height) : -1
    this.expectTop(carried)
    if (isReached) this.emitTable(selector, depths, carried)
    this.endPath()
  }

  private emitTable(selector: number, depths: readonly number[], carried: ValueType | undefined): void {
    if (carried !== undefined) this.slotOf(this.height - 1)
    this.emit(OP.jumpTable, selector, depths.length - 1)
    const first = this.length
    this.makeRoom(depths.length)
    for (const depth of depths) this.code[this.length++] = this.target(depth).start
    // Branches that a jump alone does not make stand behind the table, one for each block.
    const behind = new Map<number, number>()
    for (let index = 0; index < depths.length; index += 1) {
      const depth = depths[index] as number
      const control = this.target(depth)
      if (this.isPlain(control)) {
        if (control.opcode !== 0x03) this.chain(control, first + index)
        continue
      }
      let at = behind.get(depth)
      if (at === undefined) {
        at = this.length
        behind.set(depth, at)
        this.emitBranch(control)
      }
      this.code[first + index] = at
    }
  }

  protected return(): void {
    this.charge(CONTROL_GAS.return)
    this.expectTop(this.def.type.result)
    if (this.isReached) this.emitReturn(this.height - 1)
    this.endPath()
  }
}
