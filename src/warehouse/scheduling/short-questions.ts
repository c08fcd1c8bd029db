/** When people asked short questions last: those of all objects of an isolate, which share its thread. */
export class ShortQuestions {
  #last = { person: '', at: -Infinity }
  /** When anybody else than the last person asked last. */
  #othersAt = -Infinity

  /** @param at epoch ms */
  note(person: string, at: number): void {
    if (person !== this.#last.person) this.#othersAt = this.#last.at
    this.#last = { person, at }
  }

  /** When anybody but this person asked last, epoch ms. */
  lastOfOthers(person: string): number {
    return person === this.#last.person ? this.#othersAt : this.#last.at
  }
}
