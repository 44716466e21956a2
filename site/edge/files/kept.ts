/** A cache of limited size that drops the least recently used item. */
export class Kept<Item> {
  /** Least recently used first. */
  private readonly items = new Map<string, { readonly item: Item; readonly size: number }>();
  private readonly most: number;
  private held = 0;

  constructor(most: number) {
    this.most = most;
  }

  get(key: string): Item | undefined {
    const found = this.items.get(key);
    if (!found) return undefined;
    this.items.delete(key);
    this.items.set(key, found);
    return found.item;
  }

  drop(key: string): void {
    this.held -= this.items.get(key)?.size ?? 0;
    this.items.delete(key);
  }

  keep(key: string, item: Item, size: number): void {
    this.drop(key);
    if (size > this.most) return;
    this.items.set(key, { item, size });
    this.held += size;
    for (const oldest of this.items.keys()) {
      if (this.held <= this.most) break;
      this.drop(oldest);
    }
  }
}
