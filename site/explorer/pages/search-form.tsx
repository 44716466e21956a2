/** The field of the search, and the room for what it finds. A script fills it: app/search.tsx. */
export function SearchForm() {
  return (
    <>
      <search class="needs-script" aria-label="Data and places">
        <form id="search-form">
          <label for="search">Search for a place or a subject</label>
          <input id="search" class="large" type="search" name="q" autocomplete="off" spellcheck={false} />
        </form>
      </search>
      <p id="search-status" class="hint needs-script" role="status" />
      <section id="search-results" aria-label="Results" hidden />
    </>
  );
}
