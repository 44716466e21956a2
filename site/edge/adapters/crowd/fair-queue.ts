/** Tasks that wait for a turn, so that a client with many of them does not keep the others waiting. */
export class FairQueue<Task> {
  /** By client. The clients take turns: the first in the map is served next. */
  private readonly waiting = new Map<string, Task[]>();
  private readonly most: number;
  /** How many wait. */
  count = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Gives the task that has no room: where the queue is full, the newest of the client with the most tasks. */
  add(client: string, task: Task): Task | null {
    const own = this.waiting.get(client) ?? [];
    this.waiting.set(client, own);
    own.push(task);
    this.count++;
    if (this.count <= this.most) return null;
    const [loser = client, tasks = own] = [...this.waiting].reduce((a, b) =>
      b[1].length > a[1].length ? b : a,
    );
    const dropped = tasks.pop()!;
    this.forget(loser, tasks);
    return dropped;
  }

  /** The next task that can be carried out now; null where there is none. */
  take(able: (task: Task, client: string) => boolean): Task | null {
    for (const [client, tasks] of this.waiting) {
      const at = tasks.findIndex(task => able(task, client));
      if (at < 0) continue;
      const [task] = tasks.splice(at, 1);
      this.waiting.delete(client);
      if (tasks.length > 0) this.waiting.set(client, tasks);
      this.count--;
      return task!;
    }
    return null;
  }

  /** False where the task does not wait. */
  remove(client: string, task: Task): boolean {
    const tasks = this.waiting.get(client) ?? [];
    const at = tasks.indexOf(task);
    if (at < 0) return false;
    tasks.splice(at, 1);
    this.forget(client, tasks);
    return true;
  }

  private forget(client: string, tasks: readonly Task[]): void {
    this.count--;
    if (tasks.length === 0) this.waiting.delete(client);
  }
}
