/**
 * One run at a time, and at most one more waiting: ten changed settings in a row restart the server twice, not ten
 * times, and a stop never overtakes a start.
 */
export class CoalescingQueue {
  private running: Promise<void> | undefined;
  private waiting: Promise<void> | undefined;

  constructor(private readonly run: () => Promise<void>) {}

  /** Asks for a run that begins after this call; resolves or rejects with it. */
  request(): Promise<void> {
    if (this.running === undefined) {
      return this.begin();
    }
    this.waiting ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.waiting = undefined;
        return this.begin();
      });
    return this.waiting;
  }

  private begin(): Promise<void> {
    const run = this.run().finally(() => {
      if (this.running === run) {
        this.running = undefined;
      }
    });
    this.running = run;
    return run;
  }
}
