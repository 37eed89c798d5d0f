package xref

import "patina/store/text"

// builtinMethods are methods that values of the language itself have. A call on a variable more
// likely means those.
var builtinMethods = map[string]map[string]bool{
	"Python": text.Set(`append add capitalize casefold clear close copy count decode difference
		discard encode endswith extend find flush format fromkeys get index insert intersection
		isdigit items join keys ljust lower lstrip partition pop popitem read readline remove
		replace reverse rpartition rsplit rstrip seek setdefault sort split splitlines
		startswith strip tell title translate union update upper values write`),
	"Rust": text.Set(`and_then as_bytes as_mut as_ref as_slice as_str body borrow build chain clear clone
		cloned cmp collect contains contains_key copied drain drop end entry enumerate eq err
		expect extend field filter find first flatten fold from get get_mut header headers host
		into into_iter insert is_empty is_err is_none is_ok is_some iter iter_mut join keys kind
		last len lines lock map map_err max method min name next ok ok_or or_else parse
		partial_cmp path poll pop port post push push_str query read remove replace resize reverse
		rev send size_hint skip sort source split start start_with starts_with status uri version
		swap take then to_owned to_string to_vec trim truncate unwrap unwrap_or values
		with_capacity write zip`),
	"Java": text.Set(`accept add addAll append apply charAt clear clone close compare compareTo
		contains containsKey entrySet equals flush forEach format get getClass getKey getName
		getType getValue hasNext hashCode indexOf intValue isEmpty isInstance iterator join
		keySet length longValue map matches name next ordinal parse peek pop put read remove
		replace run set size skip sort split start stream substring test toString trim values
		valueOf write`),
	"Go": text.Set(`Add Bytes Close Command Context Del Done Err Error Errorf Fatal Fatalf Flush
		Format Get Header Helper Host Info Len Load Lock Log Logf Name Next Parse Path Query
		Read Reset Run Seek Set Size Skip Start Stop Store String Sub Unlock Unwrap Value Wait
		Write WriteString`),
	"Swift": text.Set(`advanced allSatisfy append appending async cancel compactMap contains count data
		decode description distance drop dropFirst dropLast elements encode enumerated filter finish
		first firstIndex flatMap flatten forEach formIndex formUnion get hasPrefix hasSuffix hash
		index init insert intersection isSubset join joined last load lock lowercased makeIterator
		map mapError max merge merging min next perform popLast prefix range read reduce remove
		removeAll removeFirst removeLast removeValue replace replacingOccurrences resume reversed
		send set shuffled signal sleep sort sorted split starts store string subtracting suffix
		swapAt sync trimmingCharacters union unlock update uppercased wait withLock write`),
	// kotlin.Any, kotlin.collections, kotlin.text, kotlin.sequences and the scope functions of
	// kotlin-stdlib 2.
	"Kotlin": text.Set(`accept add addAll all also any append apply asReversed asSequence associate
		associateBy associateWith average chunked clear close coerceAtLeast coerceAtMost coerceIn
		compareTo component1 component2 contains containsAll containsKey copy copyOf copyOfRange
		count dec distinct distinctBy div drop dropLast dropWhile elementAt endsWith equals
		entries fill filter filterIsInstance filterKeys filterNot filterNotNull filterValues find
		first firstOrNull flatMap flatten fold forEach forEachIndexed format get getOrDefault
		getOrElse getOrNull getOrPut getValue groupBy hasNext hashCode inc indexOf indexOfFirst
		indices insert intersect invoke isBlank isEmpty isNotBlank isNotEmpty isNullOrBlank
		isNullOrEmpty iterator joinToString last lastIndexOf lastOrNull let lines lowercase map
		mapIndexed mapNotNull mapTo mapValues matches max maxBy maxOf maxOrNull min minBy minOf
		minOrNull minus next none onEach ordinal padEnd padStart partition plus plusAssign pop push
		put putAll putIfAbsent random range rangeTo read readText reduce remove removeAll
		removeFirst removeIf removeLast removePrefix removeSuffix repeat replace resume retainAll
		reversed run send set setValue shuffled single singleOrNull size slice sort sortBy sorted
		sortedBy sortedByDescending split start startsWith step sub subList substring
		substringAfter substringBefore sum sumOf take takeIf takeLast takeUnless takeWhile times
		to toByteArray toDouble toInt toList toLong toMap toMutableList toRegex toSet toString
		toTypedArray trim trimIndent trimMargin union until uppercase use value values windowed
		with withIndex write zip`),
	// scala.Any, scala.collection, scala.Option, scala.util, StringOps and Future of the library of
	// Scala 2.13 and 3.
	"Scala": text.Set(`addAll addOne andThen apply appended asInstanceOf canEqual clear collect
		collectFirst combinations compare compareTo compose concat contains copy copyToArray count
		diff distinct drop dropRight dropWhile empty endsWith equals exists fill filter
		filterNot find flatMap flatten fold foldLeft foldRight forall foreach format get
		getOrElse getOrElseUpdate groupBy grouped hasNext hashCode head headOption indexOf
		indexWhere indices init insert intersect isDefined isEmpty isInstanceOf iterator
		keys keySet last lastIndexOf lastOption left length lift lines map mapValues max
		maxBy min minBy mkString next nonEmpty onComplete orElse padTo partition patch permutations
		prepended product productIterator put range recover recoverWith reduce reduceLeft
		remove replace replaceAll result reverse right run scanLeft size slice sliding sort sortBy
		sortWith sorted span split splitAt startsWith stripMargin stripPrefix stripSuffix sum
		tail tails take takeRight takeWhile tapEach to toArray toBuffer toDouble toInt toList
		toLong toLowerCase toMap toOption toRight toSeq toSet toString toUpperCase toVector
		transform transpose trim union unapply unzip update updated value values view withFilter
		zip zipWithIndex`),
	"JavaScript": text.Set(`add apply at bind call catch charAt clear concat delete endsWith
		entries every fill filter finally find findIndex flat flatMap forEach get has includes
		indexOf join keys map match padEnd padStart pop push reduce repeat replace reverse set
		shift slice some sort splice split startsWith substring test then toString trim unshift
		values`),
}

// builtinTypes are types and modules of the language itself.
var builtinTypes = map[string]map[string]bool{
	"JavaScript": text.Set(`Array ArrayBuffer Atomics BigInt Boolean Buffer Date Error Function
		Intl JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol WeakMap
		WeakSet console document globalThis navigator performance process window
		AbortController AbortSignal AsyncIterator Blob DataView Element Event EventTarget FormData
		HTMLElement Headers Iterator MessagePort Node ReadableStream Request Response TextDecoder
		TextEncoder URL URLSearchParams Uint8Array WeakRef WebSocket crypto localStorage
		sessionStorage`),
	"Python": text.Set(`bool bytearray bytes dict float frozenset int list object set str tuple
		type`),
	"Rust": text.Set(`Arc Box Cow Option Pin Rc Result String Vec array bool char f32 f64 i128 i16 i32 i64 i8
		isize str u128 u16 u32 u64 u8 usize Iterator IntoIterator DoubleEndedIterator
		ExactSizeIterator Into From TryFrom TryInto AsRef AsMut ToString ToOwned Drop Fn FnMut
		FnOnce`),
	// The library of Lua 5.4, and the globals of LuaJIT, OpenResty, Neovim and LÖVE.
	"Lua": text.Set(`bit bit32 coroutine debug io jit love math ngx os package string table utf8 vim`),
	"Java": text.Set(`Boolean Byte Character Double Enum Float Integer Long Math Object Short
		String StringBuilder System Thread CharSequence Class ClassLoader Comparable Exception
		Iterable Module Number Package Process ProcessBuilder Runnable Runtime RuntimeException
		StackTraceElement StringBuffer ThreadGroup ThreadLocal Throwable Void`),
}

// selfNames are names of the object that a method belongs to, and of its base.
var selfNames = text.Set(`self this cls Self $this super static parent`)
