import type { ComponentChildren } from 'preact';

/** A name and what it is of one thing. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** What is told of one thing; facts without a value are left out. */
export function Facts({ of: facts }: { of: readonly Fact[] }) {
  const told = facts.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '');
  return (
    <dl class="facts">
      {told.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
