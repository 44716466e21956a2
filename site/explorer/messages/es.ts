/** The interface in Spanish. */
import { SPANISH_SAMPLE_NOTICE } from '../../../build/format/envelope.ts';
import type { Said, Written } from './en.ts';
import { countOf, formatCount } from './numbers.ts';

const ORDINALS = ['1.er', '2.º', '3.er', '4.º'];

/** The texts of the scripts of all pages. */
export const said: Said = {
  frame: {
    sample: SPANISH_SAMPLE_NOTICE,
  },
  nouns: {
    figure: 'Cifra',
    year: 'Año',
    years: 'Años',
    rows: 'Filas',
    dataset: 'Conjunto de datos',
    version: 'Versión',
    release: 'Publicación',
    source: 'Fuente',
    attribution: 'Atribución',
    column: 'Columna',
    columns: 'Columnas',
    places: 'Lugares',
    values: 'Valores',
    answer: 'Respuesta',
    licence: 'Licencia',
    quality: 'Calidad',
    explore: 'Explorar los datos',
  },
  counts: {
    rows: count => countOf(count, 'fila'),
    years: count => countOf(count, 'año'),
    datasets: count => countOf(count, 'conjunto de datos', 'conjuntos de datos'),
    figures: count => countOf(count, 'cifra'),
    places: count => countOf(count, 'lugar', 'lugares'),
    rules: count => countOf(count, 'regla'),
    routes: count => countOf(count, 'ruta'),
  },
  search: {
    form: 'Datos y lugares',
    field: 'Buscar un lugar o un tema',
    results: 'Resultados',
    readAs: (written, read) => `“${written}” se leyó como “${read}”.`,
    unknown: word => `Nada aquí se llama “${word}”.`,
    found: count => `${count} ${count === '1' ? 'resultado' : 'resultados'}.`,
    more: count => `Y ${count} más: añada una palabra para reducir la lista.`,
    dataset: 'conjunto de datos',
    viewOf: 'Una vista de {dataset}',
    viewAbout: about => `Una vista de {dataset}, ${about}`,
    withdrawn: 'Retirado',
  },
  code: {
    copy: 'Copiar',
    copied: 'Copiado',
    select: 'Seleccionar y copiar',
    block: 'código',
  },
  embed: {
    figures: 'Cifras',
    published: (service, release, version) =>
      `{dataset}, ${service}, publicación ${release}, versión ${version}.`,
    correction: (date, wrong) => `Corrección del ${date}: ${wrong}`,
    newer: (own, now) =>
      `Estas son las cifras de la publicación ${own}. La publicación ${now} tiene otras más recientes.`,
    current: 'Ver las cifras actuales',
    paste: 'Pegue esto en una página para mostrar en ella esta vista',
    latest:
      'Este servidor guarda una sola publicación a la vez, así que el marco siempre muestra las cifras de la más reciente.',
    fixed: release =>
      `El marco conserva la publicación ${release} y avisa cuando hay cifras más recientes o correcciones.`,
  },
  figure: {
    described: 'Una cifra, con todos los valores que ha tenido y su cita. La página necesita JavaScript.',
    changed: now => `Así se publicó entonces. Hoy es: ${now}`,
    history: 'Todos los valores que ha tenido',
    why: 'Por qué cambió',
    rules: 'Reglas que la comprobaron',
    rowGroup: number => `Grupo de filas ${number}`,
    log: 'Registro firmado',
    cite: 'Cómo citar esta cifra',
  },
  rules: {
    rule: 'Regla',
    result: 'Resultado',
    passed: 'superada',
    warned: 'advertencia',
    skipped: 'sin ejecutar',
  },
  place: {
    lookingUp: 'Buscando el lugar…',
    unknown:
      'Aquí no existe ese lugar. Su código puede ser otro en esta publicación: búsquelo por su nombre.',
    progress: (done, datasets) => `Leyendo: ${done} de ${datasets}…`,
    noFigure: () => 'Ningún conjunto de datos tiene una cifra solo de este lugar.',
    found: (figures, datasets) => `${figures} en ${datasets}.`,
    save: 'Guardar todo en CSV',
    showAll: 'Mostrar todas las cifras',
    unread: (datasets, why) => `No se pudo leer ${datasets}. ${why}`,
    figuresOf: place => `Todas las cifras de ${place}`,
    here: places => `${places}: lo que hay aquí`,
    liesIn: 'Dónde está el lugar',
    code: code => `código ${code}`,
    all: count => `Ver los ${count}`,
    alike: 'Lugares parecidos',
    closest: (measure, dataset, year) => `Los más cercanos en “${measure}” (${dataset}, ${year}).`,
    whole: 'El total',
    newest: 'Más reciente',
    sinceYearBefore: 'Desde el año anterior',
    change: 'Cambio',
    rankHighest: 'Posición, de mayor a menor',
    rank: 'Posición',
    severalAYear: 'varias por año',
    notRead: 'sin leer',
  },
  explore: {
    problems: 'Esta página no pudo usar una parte de su dirección:',
    filesBelow: 'Todavía puede descargar los archivos de abajo.',
    cancelled: 'Cancelado. La vista no muestra lo último que usted eligió.',
    drawn: (view, title, summary) => `${view}: ${title}. ${summary}`,
  },
  table: {
    moreThan: rows => `Más de ${rows}`,
    scroll: count => `Aquí están las primeras ${count}; baje para leer las demás.`,
    readAll: 'Leer todas las filas',
    rowsOf: dataset => `Filas de ${dataset}`,
    legend: 'Qué significan «sin cifra» y «–»',
  },
  progress: {
    plan: 'Buscando los archivos',
    fetch: 'Descargando',
    start: 'Cargando la base de datos, una sola vez',
    compute: 'Calculando',
    of: (done: string, all: string) => `${done} de ${all}`,
    cancel: 'Cancelar',
  },
  save: {
    reading: 'Leyendo las filas…',
    written: (done, rows) => `Escribiendo: ${done} de ${rows}…`,
    saved: rows => `Guardado: ${rows}.`,
    cancelled: 'Cancelado. No se guardó nada.',
    linkCopied: 'Se copió el enlace a esta vista.',
    linkNotCopied: 'El navegador no permite copiar aquí. Copie la dirección de esta página.',
    openInSql: 'Abrir en SQL',
    sameRows: 'Las mismas filas desde la API',
    plainHost:
      'En un servidor que solo entrega archivos, esta dirección devuelve un archivo entero o nada. Las descargas de esta página siempre funcionan.',
    noDrawing: 'La página no pudo dibujar la gráfica.',
    noPng: 'Este navegador no pudo crear un archivo PNG. Guarde en SVG.',
  },
  workbook: {
    tooLong: () =>
      `Una hoja de Excel admite como máximo ${formatCount(1_048_575)} filas, y una celda ${formatCount(32_767)} caracteres. Elija menos filas, o guarde en CSV o Parquet.`,
    notes: 'Notas',
    address: 'Dirección',
    notice: 'Aviso',
    inWords: column => `${column}, en palabras`,
    sample: 'Muestra',
    count: 'Número de filas',
    usage: 'Uso',
    limitations: 'Limitaciones',
    name: 'Nombre',
    unit: 'Unidad',
    emptyCell: 'Qué significa una celda vacía',
    description: 'Descripción',
    notAtLevel: 'Este nivel no tiene ese valor.',
  },
  errors: {
    retry: 'Intentar de nuevo',
    partMissing: 'No se pudo cargar una parte de esta página. Compruebe la conexión.',
    silent: seconds => `El servidor no ha enviado nada en ${seconds} segundos.`,
    unreachable: 'No se puede llegar al servidor. Compruebe la conexión.',
    status: status => `El servidor responde con un error (estado ${status}).`,
    unread: why => `No se pudieron leer los datos. ${why}`,
    noDatabase: why => `No se pudo cargar la base de datos. ${why}`,
    damagedDatabase: 'El archivo de la base de datos está dañado.',
    mismatch: path =>
      `${path} no es el archivo que indica su manifiesto. Puede que una nueva publicación esté en camino: inténtelo de nuevo en unos minutos. Si sigue igual, un archivo está dañado, y quien publica estos datos debería saberlo.`,
    noDataset: key => `No existe el conjunto de datos ${key}.`,
    oneSelect: 'Aquí solo se puede hacer un SELECT: no se puede cambiar, cargar ni configurar nada.',
    tooLarge: (table, rows) =>
      `La tabla ${table} tiene ${rows}, y esta página no puede guardar tantos valores. En su propio ordenador, cargue api/v1/duckdb.sql de este sitio en DuckDB para consultar las mismas tablas.`,
    noShapes: 'El servidor no tiene los contornos de este mapa.',
  },
  sql: {
    statement: 'Consulta SQL',
    run: 'Ejecutar',
    hint: '{keys} también ejecuta la consulta.',
    failed: 'La consulta falló.',
    cancelled: 'Consulta cancelada.',
    seconds: (rows, seconds) => `${rows}. ${seconds} s.`,
    firstRows: (rows, seconds) =>
      `Solo las primeras ${rows}; hay más. Añada un LIMIT o agrupe las filas. ${seconds} s.`,
    readRows: 'Las primeras filas de la respuesta, todas las que leyó esta página.',
  },
  check: {
    key: 'Clave pública (opcional)',
    check: 'Comprobar',
    sound: 'Correcto',
    wrong: 'Incorrecto',
    unknown: 'Sin comprobar',
    readingManifest: 'Leyendo el manifiesto.',
    readingFile: (at, files, done, all) => `Leyendo el archivo ${at} de ${files}: ${done} de ${all}.`,
    readingLog: 'Leyendo el registro de publicaciones.',
    cancelled: 'Cancelado. La comprobación no está completa.',
    incomplete: why => `${why} La comprobación no está completa.`,
    isWrong: 'Algo está mal. No use estas cifras antes de saber qué es.',
    isPartly: 'Lo que se comprobó es correcto. No se pudo comprobar todo.',
    isSound: 'Todo es correcto: estos son los archivos que firmó quien los publica.',
    damaged: file => `Falta ${file}, o está dañado: no es JSON.`,
    noSums: (sums, file) => `Falta ${sums}, así que nada dice qué hash tiene ${file}.`,
    listed: (file, list, hash) => `${file} tiene el hash que indica ${list}: ${hash}.`,
    notListed: (file, list) => `${file} no es el archivo que indica ${list}.`,
    filesSound: (files, size) =>
      `Todos los archivos del conjunto de datos (${files}, ${size}) tienen los hashes que indica su manifiesto.`,
    filesDamaged: (damaged, files, names) =>
      `Archivos que faltan o no son los que indica el manifiesto: ${damaged} de ${files}: ${names}.`,
    noKey: 'El texto que escribió no es una clave pública. Su forma es nombre+id+clave.',
    notSigned: 'Nadie firmó esta publicación: no hay registro.',
    noCheckpoint: file => `Falta ${file}, o no es un punto de control firmado.`,
    signedSays: (origin, key) =>
      `El registro “${origin}” dice que está firmado con la clave ${key}. Escriba la clave pública de quien publica, obtenida fuera de este sitio, para comprobar la firma.`,
    noEd25519: 'Este navegador no puede comprobar firmas Ed25519 en esta página. Use otro, o civic verify.',
    signed: (key, print) =>
      `El registro está firmado con la clave ${key} que usted escribió. Su huella (SHA-256) es ${print}.`,
    otherwiseSigned: (key, print) =>
      `El registro no está firmado con la clave ${key} que usted escribió. Su huella (SHA-256) es ${print}.`,
    otherRoot: 'Las entradas del registro no dan la raíz que indica su punto de control.',
    notInLog: (file, release) =>
      `El registro no contiene el contenido de este ${file} como publicación ${release}.`,
    inLog: (release, at, size, file) =>
      `La publicación ${release} es la entrada ${at} de ${size} del registro de publicaciones, con el contenido de este ${file}.`,
  },
  format: {
    points: size => `${size} puntos`,
    share: 'parte de uno (0.25 es 25 %)',
    dollars: 'dólares',
    yes: 'sí',
    no: 'no',
    noYears: 'sin años',
    without: (years, missing) => `${years}, sin ${missing}`,
  },
  timeline: {
    nouns: { year: 'año', quarter: 'trimestre', month: 'mes', day: 'día', instant: 'momento' },
    quarter: (year, quarter) => `${ORDINALS[quarter - 1]} trimestre de ${year}`,
    shortQuarter: (year, quarter) => `T${quarter} ${year}`,
    month: (year, month) => `${month} de ${year}`,
    shortMonth: (year, month) => `${month} ${year}`,
    day: (year, month, day) => `${day} de ${month} de ${year}`,
    shortDay: (month, day) => `${day} ${month}`,
    during: {
      year: label => `en ${label}`,
      quarter: label => `en el ${label}`,
      month: label => `en ${label}`,
      day: label => `el ${label}`,
      instant: label => `el ${label}`,
    },
  },
  words: {
    none: 'ninguno',
    allYears: 'todos los años',
    from: start => `desde ${start}`,
    upTo: end => `hasta ${end}`,
    fromTo: (start, end) => `${start} a ${end}`,
    andMore: (names, more) => `${names} y ${more} más`,
    source: source => `Fuente: ${source}.`,
    version: (title, version, release) => `${title}, versión ${version}, publicación ${release}.`,
    licence: licence => `Licencia: ${licence}.`,
    withdrawn: (date, reason) => `Retirado el ${date}: ${reason}`,
    noFigure: 'sin cifra',
    noRow: 'sin fila',
    unreliable: 'poco fiable',
    noValueOf: column => `Sin ${column}`,
    nullMeans: meaning => `NULL significa: ${meaning}`,
    nullFigure: 'Sin cifra.',
    nullValue: 'Sin valor.',
    start: value => `El eje empieza en ${value}, no en cero.`,
  },
  difference: {
    more: (size, margin, other) => `${size} más${margin} que ${other}`,
    less: (size, margin, other) => `${size} menos${margin} que ${other}`,
    fewer: (size, margin, other) => `${size} menos${margin} que ${other}`,
    same: other => `igual que ${other}`,
    unclear: (margin, other) => `ni claramente más ni claramente menos que ${other}${margin}`,
  },
  sentence: {
    of: (count, level, isAmong) =>
      level === '' ? `De ${count} cifras` : `De ${count} ${level}${isAmong ? ' con cifra' : ''}`,
    highest: {
      is: (place, figure) => `${place} tiene la cifra más alta (${figure})`,
      share: (count, figure) => `${count} comparten la cifra más alta (${figure})`,
    },
    estimatedHighest: {
      is: (place, figure) => `${place} tiene la estimación más alta (${figure})`,
      share: (count, figure) => `${count} comparten la estimación más alta (${figure})`,
    },
    lowest: {
      is: (place, figure) => `${place} tiene la más baja (${figure})`,
      share: (count, figure) => `${count} comparten la más baja (${figure})`,
    },
    extremes: (of, greatest, least) => [`${of}, `, greatest, `, y ${least}.`],
  },
  title: {
    in: (subject, places) => `${subject} en ${places}`,
    by: groups => `por ${groups}`,
    // The gender of a level's name is unknown, so neither "todos los" nor "todas las" would do.
    all: level => level,
  },
  rank: {
    at: (position, of) => `${position}.º de ${of}`,
    between: (best, worst, of) => `entre ${best}.º y ${worst}.º de ${of}`,
  },
  places: {
    within: (kind, place) => `${kind} en ${place}`,
    noClearChange: 'sin cambio claro',
    noChange: 'sin cambio',
  },
  terms: {
    team: 'Equipo',
    support: 'Ayuda',
    levels: 'Niveles de servicio',
    price: 'Precio',
    per: (price, unit) => `${price} por ${unit}`,
  },
  view: {
    names: { chart: 'Líneas', bars: 'Barras', map: 'Mapa', table: 'Tabla' },
    shows: {
      chart: 'Las líneas muestran',
      bars: 'Las barras muestran',
      map: 'El mapa muestra',
      table: 'La tabla muestra',
    },
    absent: {
      chart: 'Las líneas necesitan cifras de dos años o más, y este conjunto de datos no las tiene',
      bars: 'Este conjunto de datos no tiene cifras que se puedan dibujar',
      map: 'El mapa no tiene las formas de los lugares de este conjunto de datos',
      table: '',
    },
    noPlaceOfLevel: item => `'${item}' nombra un nivel, pero ningún lugar de ese nivel`,
  },
  lost: {
    places: (shows, names) => `${shows} todos los lugares de un nivel. Ya no están elegidos: ${names}.`,
    periods: (shows, unit, period) => `${shows} un solo ${unit}: ${period}.`,
    values: (shows, label, value) => `${shows} aquí un solo valor de ${label}: ${value}.`,
    absent: names => `Este conjunto de datos no tiene filas sobre ${names}.`,
    beside: (shows, level, names) =>
      `${shows} filas de un solo nivel (${level}), sin ${names}. Las líneas y las barras muestran ambos.`,
  },
  notices: {
    pooling: years =>
      `Cada cifra reúne ${years} años de respuestas. Las cifras con menos de ${years} años de distancia comparten respuestas, así que su diferencia no es un cambio anual.`,
    total: total =>
      `las filas muestran el total, «${total}», junto a sus partes. Al sumarlas se cuenta lo mismo dos veces.`,
    overlap: groups =>
      `las filas muestran grupos de más de un tipo (${groups}), que se superponen. Al sumarlos se cuenta lo mismo dos veces.`,
    noTotal:
      'las filas muestran varios valores, y ningún total los reúne. Hay que leer cada uno por separado, sin sumarlos.',
    several:
      'las filas muestran varios valores. Solo se pueden sumar si las notas del conjunto de datos dicen que no se superponen.',
  },
  drawing: {
    otherLevel: level => `El mapa solo muestra filas del nivel «${level}».`,
    noRows: 'Ninguna fila corresponde a la selección: no todos los valores existen en cada año y nivel.',
    rowsOnlyOf: years => `En este nivel solo hay filas de ${years}.`,
    noFigures: (rows, figure) => `No hay ninguna cifra de «${figure}» en ${rows}.`,
    noShapes: 'El mapa no tiene la forma de ninguna de estas filas.',
    unmapped: (count, all, names) =>
      count === 1
        ? `1 de ${countOf(all, 'lugar', 'lugares')} no está en el mapa, que no tiene su forma: ${names}. Su fila está en la tabla.`
        : `${formatCount(count)} de ${countOf(all, 'lugar', 'lugares')} no están en el mapa, que no tiene sus formas: ${names}. Sus filas están en la tabla.`,
    firstCharts: (drawn, all) =>
      `Se dibujan las primeras ${drawn} de ${countOf(all, 'gráfica')}. Elija los lugares que quiere comparar.`,
    marks: (year, isShare) =>
      `La marca en una barra es ${year}; el número después de la cifra es el cambio desde entonces${isShare ? ', en puntos' : ''}.`,
    margins: label => `Los trazos muestran el margen de error («${label}»).`,
    hiddenMargins: lines =>
      `Cada cifra tiene un margen de error. La gráfica lo muestra con ${lines} líneas como máximo; la tabla de abajo lo tiene siempre.`,
    unreliableBar: 'Una barra rayada es poco fiable: su margen de error es más de la mitad de su cifra.',
    unreliablePoint: 'Un punto hueco es poco fiable: su margen de error es más de la mitad de su cifra.',
    unreliablePlace: 'Un lugar punteado es poco fiable: su margen de error es más de la mitad de su cifra.',
    classes: 'Cada clase de color tiene más o menos el mismo número de lugares.',
    hatched: meaning => `Los lugares rayados no tienen cifra. ${meaning}`,
    ownScales: 'Cada gráfica pequeña tiene su propia escala, porque las cifras difieren mucho en tamaño.',
    sameScale: 'Todas las gráficas pequeñas tienen la misma escala.',
    notComparable: (year, reason) =>
      `Las cifras hasta ${year} no se pueden comparar con las posteriores: ${reason}`,
    breakLabel: 'no comparable',
    gap: (unit, hasRange) =>
      `Un hueco en una línea es un ${unit} sin cifra publicada${hasRange ? ', o fuera del rango elegido' : ''}.`,
  },
  panel: {
    showAs: 'Mostrar la respuesta como',
    rankBy: 'Ordenar por',
    ranks: { value: 'cifra', listed: 'orden de la lista', change: 'cambio' },
    tooMany:
      'Una gráfica no puede mostrar tantas filas. Elija lugares, menos años o valores sueltos, o abra la tabla, que las muestra todas.',
    chooseAnother: 'Elija otro nivel, año, lugar o valor.',
    readBars: title => `${title}: leer las barras con las teclas de flecha`,
    readLines: (title, unit) => `${title}: leer un ${unit} con las teclas de flecha`,
    readMap: title => `${title}: leer los lugares con las teclas de flecha, abrir uno con Intro`,
    fewerBars: 'Mostrar menos barras',
    allBars: count => `Mostrar las ${count} barras`,
    readingShapes: 'Leyendo las formas…',
    asTable: 'Mostrar las cifras como tabla',
    figures: 'Cifras de la gráfica',
    firstFigures: count => `Estas son las primeras ${count} cifras. La vista de tabla las tiene todas.`,
    question: 'Qué muestra la vista',
    level: 'Nivel',
    from: 'desde',
    to: 'hasta',
    more: filters =>
      filters === 0
        ? 'Más opciones'
        : `Más opciones (${countOf(filters, 'filtro elegido', 'filtros elegidos')})`,
    all: count => `Todos (${count}): escribir un nombre o código`,
    inGrey: names => `Mostrar ${names} en gris`,
    addValue: 'Añadir otro',
    matches: count => countOf(count, 'resultado'),
    chosen: label => `${label}: elegidos`,
    remove: name => `Quitar ${name}`,
    total: 'total',
    any: 'Cualquiera',
    sideBySide: 'Todos, lado a lado',
    several: 'Varios…',
    save: 'Guardar esto',
    saves: {
      csv: 'CSV',
      xlsx: 'Excel',
      parquet: 'Parquet',
      png: 'Imagen',
      svg: 'Imagen como SVG',
      link: 'Copiar enlace',
      embed: 'Insertar',
      api: 'Solicitud a la API',
    },
  },
};

/** The texts that only the build writes. */
export const written: Written = {
  layout: {
    skip: 'Ir al contenido',
    main: 'Principal',
    data: 'Datos',
    places: 'Lugares',
    sql: 'SQL',
    api: 'API',
    site: 'Sitio',
    searchLabel: 'Buscar datos y lugares',
    search: 'Buscar',
    releases: 'Publicaciones',
    releaseOf: (release, date) => `${release}, del ${date}`,
    contact: 'Contacto',
    documentation: 'Documentación',
    howToCheck: 'Cómo comprobar estas cifras',
    checksums: 'Sumas de comprobación de todos los archivos',
    allFiles: 'Lista de todos los archivos',
    dataPackage: 'Paquete de datos',
    openapi: 'OpenAPI',
    howToCite: 'Cómo citar',
    whatChanged: 'Qué cambió',
    filesHere: 'Archivos de esta carpeta',
    extract: (only, release) =>
      `Extracto: de los conjuntos de datos de este servicio, aquí solo están ${only.split(',').join(', ')}.${
        release === undefined ? '' : ` La publicación ${release} los tiene todos.`
      }`,
  },
  singular: plural =>
    plural.replace(/\p{L}+/gu, word =>
      word
        .replace(/ones$/, 'ón')
        .replace(/([^aeiouáéíóú])es$/, '$1')
        .replace(/(?<!i)([aeiouáéíóú])s$/, '$1'),
    ),
  kindIn: (title, area) => {
    const ending = [` de ${area}`, ` en ${area}`].find(one => title.endsWith(one));
    if (ending !== undefined) return title.slice(0, -ending.length);
    // A publisher's titles may still be in English.
    return title.startsWith(`${area} `) ? title.slice(area.length + 1) : null;
  },
  front: {
    withdrawn: 'Retirados',
  },
  dataset: {
    onlyFiles: 'Este conjunto de datos no tiene cifras que dibujar: los archivos de abajo tienen las filas.',
    about: 'Qué dicen estos datos',
    noDescription: 'El contrato de datos no da ninguna descripción.',
    rowMeaning: 'Qué es una fila',
    usage: 'Cómo usarlos',
    limitations: 'Tenga en cuenta',
    noLimitations: 'El contrato de datos no indica limitaciones.',
    corrections: 'Correcciones',
    coverage: 'Años y niveles',
    columns: count => `Columnas (${count})`,
    downloads: 'Descargas',
    changes: 'Qué cambió y cuándo',
    code: 'Para programas: API, SQL, R, Python',
    provenance: 'Fuente y licencia',
    nullWithheld: 'NULL indica una cifra que la fuente no publicó: un campo vacío en CSV, null en JSON.',
    nullMissing: 'NULL indica que falta la cifra: un campo vacío en CSV, null en JSON.',
    zeroIsReal: 'Un cero es un cero de verdad.',
    zeroIsUnsure: 'Un cero también puede indicar una cifra desconocida.',
    unknownAddress: address =>
      `En este código, \`${address}\` representa la dirección de este sitio. Sustitúyala por la dirección que muestra su navegador. Con JavaScript activado, la página lo hace por usted.`,
    codeFor: name => `Código para ${name}`,
  },
  columns: {
    meaning: 'Qué significa',
    unitAndType: 'Unidad y tipo',
    nullMeans: 'Qué significa NULL',
    joined: 'Las filas tienen además estas columnas de las tablas de lugares y grupos: {columns}.',
    between: (least, most) => `de ${least} a ${most}`,
    atLeast: least => `como mínimo ${least}`,
    atMost: most => `como máximo ${most}`,
    neverNull: 'nunca NULL',
    unknownNull: 'no se sabe',
    allowed: 'Valores permitidos:',
    countAllowed: count => `${count} ${count === '1' ? 'valor permitido' : 'valores permitidos'}`,
    isTotal: '(el total de todos los demás valores)',
  },
  files: {
    notPublished: 'sin publicar',
    allYears: 'Todos los años en un archivo',
    allRows: 'Todas las filas',
    byYear: 'Año por año',
    advice: () =>
      `El CSV se abre en una hoja de cálculo: importe las columnas de códigos como texto, o perderán los ceros iniciales. El JSON llega en páginas de ${formatCount(10_000)} filas como máximo. El Parquet es el más pequeño y conserva el tipo de cada columna.`,
    filesOf: level => `Archivos de ${level}`,
    page: (format, page) => `${format}, página ${page}`,
    file: 'Archivo',
    size: 'Tamaño',
  },
  quality: {
    summary: (rules, passed, warned, skipped) =>
      `Estas filas se comprueban con ${rules}. En esta publicación, superadas: ${passed}; con advertencia: ${warned}; sin ejecutar: ${skipped}. Una regla que falla detiene la publicación.`,
    found: 'Hallado',
    about: 'Asunto',
    derived: 'derivada de las columnas',
  },
  errata: {
    lead: 'Errores de publicaciones anteriores, del más reciente al más antiguo. Los archivos actuales están corregidos. Para programas: {file}.',
    wrong: 'Qué estaba mal',
    corrected: 'Qué se hizo',
    levels: 'Niveles',
    releases: 'Publicaciones con el error',
  },
  changes: {
    words: {
      none: 'Ninguna fila cambió.',
      revised: rows => `${rows} ${rows === 1 ? 'fila revisada' : 'filas revisadas'}`,
      added: rows => `${rows} ${rows === 1 ? 'fila añadida' : 'filas añadidas'}`,
      removed: rows => `${rows} ${rows === 1 ? 'fila eliminada' : 'filas eliminadas'}`,
      kinds: {
        revised: 'Con revisiones',
        added: 'Nuevo',
        removed: 'Retirado',
        replaced: 'Publicado de nuevo con otro detalle',
        forgotten: 'Eliminado, para que nadie reciba las filas anteriores',
      },
      renamed: (old, now) => `La columna ${old} se llama ${now} desde entonces.`,
      dropped: columns => `Columnas eliminadas o que cambiaron de tipo: ${columns}.`,
      to: ' a ',
    },
    lead: (since, date, isFirst) =>
      `Qué cambiaron las publicaciones desde el ${since}${isFirst ? ', cuando este conjunto de datos se publicó por primera vez' : ''}. Para programas: {list}; para seguirlo: {feed}. La API responde a \`as_of=${date}\` con las filas de ese día.`,
    none: 'Ninguna publicación ha cambiado nada todavía.',
    earlier: count => `Cambios anteriores en changes.json: ${count}.`,
    forgotten: (date, reason) => `El ${date} se eliminaron filas de publicaciones anteriores: ${reason}`,
    why: (wrong, corrected) => `Motivo: ${wrong} ${corrected}`,
    rowsOf: date => `Filas que cambió la publicación del ${date}`,
    added: 'añadida',
    removed: 'eliminada',
    firstRows: 'Estas son las primeras filas.',
  },
  source: {
    contractYaml: 'Contrato de datos (YAML)',
    contractJson: 'Contrato de datos (JSON)',
    schema: 'Esquema',
    manifest: 'Manifiesto',
    croissant: 'Croissant',
    madeBy: 'Autoría',
    publishedBy: 'Publicado por',
    updated: 'Actualización',
    updatedOn: (frequency, date) => `${frequency}; último cambio: ${date}`,
    nextBy: date => `próxima actualización prevista: a más tardar el ${date}`,
    tags: 'Etiquetas',
    versionOf: (version, release) => `${version}, publicación ${release}`,
    hash: 'Hash del esquema',
    documents: 'Documentos',
    notStated: 'no se indica',
  },
  citation: {
    name: 'Cita',
    text: (author, year, title, version, release, service) =>
      `${author} (${year}). ${title} (versión ${version}, publicación ${release}) [Conjunto de datos]. ${service}.`,
    note: release => `Conjunto de datos, publicación ${release}.`,
  },
  snippets: {
    allRows: 'todas las filas',
    curl: what => `Descarga ${what} en CSV y comprueba que el archivo llegó sin cambios.`,
    wget: 'Descarga todos los archivos CSV del conjunto de datos, cada uno en la carpeta de su año.',
    duckdb: what =>
      `Lee ${what} del archivo Parquet de la carpeta actual. La primera línea lo descarga. Con la extensión httpfs de DuckDB se puede escribir la dirección en lugar del nombre del archivo.`,
    pandas:
      'El código nombra las columnas de texto; si no, pandas leería el código 007 como el número 7. Solo un campo vacío es un valor que falta.',
    polars: 'El código nombra las columnas de texto, para que los códigos conserven los ceros iniciales.',
    r: 'R base, sin paquetes. El código nombra las columnas de texto, para que los códigos conserven los ceros iniciales.',
    powerQuery: tooLong =>
      `Para Excel y Power BI: péguelo en el editor avanzado de una consulta en blanco. Cada columna tiene su tipo, así que los códigos siguen siendo texto.${tooLong ? ' El archivo tiene más filas que una hoja: cárguelo en el modelo de datos.' : ''}`,
    googleSheets: tooLarge =>
      `Péguelo en una hoja vacía; este sitio debe estar en línea. La hoja vuelve a pedir los datos cada hora, lee los códigos como números (007 pasa a ser 7) y rechaza archivos grandes: para conservar los códigos, guarde Excel arriba y ábralo.${tooLarge ? ' Este archivo tiene más de los 10 millones de celdas de una hoja de cálculo: elija menos filas arriba.' : ''}`,
    javascript: (rows, what) =>
      `Obtiene ${rows} de ${what}, página por página. Funciona en Node 18, Deno, Bun o la consola del navegador en este sitio.`,
  },
  withdrawn: {
    title: title => `${title} (retirado)`,
    gone: 'Este sitio ya no publica sus filas.',
    instead: 'Qué usar en su lugar',
    stays: 'Qué se conserva',
    contract:
      'El contrato de datos todavía describe las filas: qué era una fila, sus columnas y sus limitaciones.',
    notice: 'Aviso de retirada (JSON)',
    noReplacement: 'Aquí ningún conjunto de datos lo sustituye.',
  },
  placesPage: {
    lead: 'Busque un lugar y vea qué dice de él cada conjunto de datos a lo largo de los años.',
    none: 'Aquí ningún conjunto de datos trata de lugares.',
    countIn: (places, datasets) => `${places}, en ${datasets}`,
    list: 'Lista (CSV)',
    withoutScript:
      'Esta página necesita JavaScript para reunir las cifras. Sin él, descargue los archivos desde la página de cada conjunto de datos.',
  },
  api: {
    described: service =>
      `Todas las rutas y parámetros de la API de ${service}, con una petición de cada ruta.`,
    lead: 'Los programas piden datos por su dirección. También se puede abrir en un navegador cada dirección de esta página.',
    version: (version, routes) =>
      `Versión ${version}, ${routes}. Para programas: {openapi} (OpenAPI 3.1), {files}.`,
    howItWorks: 'Cómo funciona',
    steps: () => [
      'Elija abajo un conjunto de datos. Su primera ruta devuelve filas: `year` y `detail` eligen el año y el nivel, y los demás parámetros filtran las filas.',
      'Los valores separados por comas coinciden con cualquiera de ellos. Una fila debe cumplir todos los parámetros. Ningún valor coincide con una fila cuya columna es NULL: para obtener también esas filas, hay que omitir el parámetro.',
      `\`format\` es \`json\`, \`csv\` o \`parquet\`; los servidores también responden \`xlsx\` y \`md\`. Una respuesta en JSON tiene como máximo ${formatCount(10_000)} filas, y su \`next\` es la dirección de las filas siguientes.`,
      'NULL nunca es cero: cada columna dice qué significa su NULL. Los códigos son texto: conserve los ceros iniciales.',
    ],
    errors: 'Errores',
    noParameters: 'Esta ruta no tiene parámetros.',
    example: 'Ejemplo: {request}',
    parametersOf: path => `Parámetros de ${path}`,
    parameter: 'Parámetro',
    effect: 'Qué hace',
    required: 'obligatorio',
    oneOf: 'uno de {values}',
    several: what => `${what}, o varios`,
    default: 'por defecto {value}',
    requestOf: path => `Petición de ${path}`,
    open: 'Abrir la dirección',
  },
  sqlPage: {
    described: service =>
      `SQL sobre todos los conjuntos de datos de ${service}, calculado en su propio navegador.`,
    lead: size =>
      `Haga cualquier pregunta a los datos publicados. Su navegador calcula la respuesta: descarga las tablas que la pregunta nombra, cada una una sola vez, y no envía nada. La primera consulta carga también la base de datos, ${size}; el navegador la conserva.`,
    withoutScript:
      'La consola necesita JavaScript. Sin él, cargue {file} en su propio DuckDB para consultar las mismas tablas.',
    tables: 'Tablas',
    advice:
      'Escriba SQL de {duckdb}. Cada conjunto de datos es una tabla; su columna `detail` nombra el nivel de una fila. Una tabla demasiado grande para un navegador se puede consultar en su propio DuckDB con {file}. Muchas filas son totales de otras filas, así que sume solo filas que no se solapen.',
    dimensions: 'Dimensiones',
    columnOf: dimension => `de ${dimension}`,
    meaning: 'Qué significan sus columnas y sus NULL',
    columnsOf: table => `Columnas de ${table}`,
    type: 'Tipo',
    ask: 'Preguntar esto',
    askExample: description => `Preguntar esto: ${description}`,
  },
  checkPage: {
    described:
      'Comprobar que los archivos son los que se publicaron y que ninguna publicación se reescribió.',
    lead: 'Cada archivo tiene aquí un hash publicado, y cada hash está en una lista que tiene su propio hash. Por eso una cifra cambiada se nota.',
    here: 'En este navegador',
    withoutScript: 'Esta parte necesita JavaScript. La siguiente, no.',
    elsewhere: 'En su propia computadora',
    mirror:
      'Copie los archivos, como hace {file}, y compare sus hashes. Todos los sistemas tienen un programa para eso:',
    hashes: 'Comprobar los hashes',
    program:
      'El programa que hizo este sitio comprueba más: que todos los formatos de una tabla tienen las mismas filas, que el registro está firmado y, frente a otra copia, que ninguna publicación se reescribió.',
    tree: 'Comprobar una copia completa',
    limits: 'Qué no demuestra esto',
    limitsOf: [
      'Que las cifras sean ciertas. Demuestra que son las publicadas.',
      'Que esta página sea honesta: viene del mismo servidor que las cifras. Quien puede cambiar las cifras puede cambiar la página. Una copia en su propia computadora y una clave de otro lugar no dependen de él.',
      'Que otras personas vean el mismo registro que usted. Compárelo con un testigo o con una copia anterior.',
    ],
    datasets: 'Conjuntos de datos',
  },
};
