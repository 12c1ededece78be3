/** How often and how soon a server that died is started again: sooner, later, then not at all. */
export class CrashPolicy {
  private times: number[] = [];

  constructor(
    /** The wait before each restart, in milliseconds; its length is the number of restarts. */
    private readonly delays: readonly number[] = [500, 2_000, 8_000],
    /** Crashes older than this are forgotten, in milliseconds. */
    private readonly memory: number = 10 * 60_000,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts a crash; the wait before the next start in milliseconds, or undefined when it is time to give up. */
  crashed(): number | undefined {
    const now = this.now();
    this.times = this.times.filter((time) => now - time < this.memory);
    this.times.push(now);
    return this.delays[this.times.length - 1];
  }

  /** A start that a person asked for begins a new count. */
  forget(): void {
    this.times = [];
  }
}
